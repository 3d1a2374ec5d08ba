/**
 * Why tasks of a job wait, as values: what its plan says, and what the workers that are there, and
 * the jobs before it, add.
 *
 * <p>Start with {@link dev.mayfly.core.plan.waiting.WaitingPlan}.
 *
 * <p><b>Rule:</b> nothing here decides: it looks up where the plan found room, and what it refused.
 */
@NullMarked
package dev.mayfly.core.plan.waiting;

import org.jspecify.annotations.NullMarked;
