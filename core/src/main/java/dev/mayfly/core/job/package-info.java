/**
 * How a job's tasks are found and written out: globs of inputs, and templates of each task's text.
 *
 * <p>Start with {@link dev.mayfly.core.job.Template}, which has what {placeholders} become. A job's
 * life is {@code dev.mayfly.core.model.JobState}.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.job;

import org.jspecify.annotations.NullMarked;
