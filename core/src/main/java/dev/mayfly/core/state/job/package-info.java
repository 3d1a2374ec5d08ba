/**
 * Changes of a stored job that more than one package makes: it enters and leaves the queue, stops,
 * completes, and its gangs advance.
 *
 * <p>Start with {@link dev.mayfly.core.state.job.JobCompletion}.
 */
@NullMarked
package dev.mayfly.core.state.job;

import org.jspecify.annotations.NullMarked;
