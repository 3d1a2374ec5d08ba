/**
 * What a person does about a job that waits or failed, in words, where its reasons do not say it.
 *
 * <p>Start with {@link dev.mayfly.core.plan.remedy.WaitingRemedy} for a job that waits or does not
 * go on, and with {@link dev.mayfly.core.plan.remedy.FailureRemedy} for one whose attempts fail.
 */
@NullMarked
package dev.mayfly.core.plan.remedy;

import org.jspecify.annotations.NullMarked;
