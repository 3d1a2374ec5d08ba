/**
 * How fast a job's tasks end, and whether the machines that are there are done with what waits
 * before another one could be ready; and how much of their work machines of a kind keep.
 *
 * <p>Start with {@link dev.mayfly.core.plan.pace.DoneSooner}.
 */
@NullMarked
package dev.mayfly.core.plan.pace;

import org.jspecify.annotations.NullMarked;
