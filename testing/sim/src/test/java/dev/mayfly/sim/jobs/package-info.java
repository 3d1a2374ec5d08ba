/**
 * A job from its submission to its outcome, against fakes.
 *
 * <p>Start with {@link dev.mayfly.sim.jobs.JobExpansionTest} and {@link
 * dev.mayfly.sim.jobs.JobCompletionTest}.
 */
@NullMarked
package dev.mayfly.sim.jobs;

import org.jspecify.annotations.NullMarked;
