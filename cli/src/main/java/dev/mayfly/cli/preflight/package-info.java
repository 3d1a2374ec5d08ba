/**
 * Whether a project of Google Cloud is ready for Mayfly. {@link dev.mayfly.cli.preflight.Preflight}
 * runs the checks; it changes nothing.
 */
@NullMarked
package dev.mayfly.cli.preflight;

import org.jspecify.annotations.NullMarked;
