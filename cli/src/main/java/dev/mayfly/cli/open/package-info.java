/**
 * Open jobs: tasks that are added while the job runs. Start at {@link AddCommand}.
 *
 * <p><b>Rule:</b> every message has an id of its own, so that a retry of a publish adds nothing
 * twice.
 */
@NullMarked
package dev.mayfly.cli.open;

import org.jspecify.annotations.NullMarked;
