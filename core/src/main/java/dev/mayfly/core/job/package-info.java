/**
 * One job's life, and how its tasks are written out.
 *
 * <p>Read {@link dev.mayfly.core.job.Template} for what {placeholders} become.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.job;

import org.jspecify.annotations.NullMarked;
