/**
 * The limits of a job's time and cost: who reaches one is stopped, and a retry may change them.
 *
 * <p>Start with {@link dev.mayfly.core.state.job.limit.JobLimits}.
 */
@NullMarked
package dev.mayfly.core.state.job.limit;

import org.jspecify.annotations.NullMarked;
