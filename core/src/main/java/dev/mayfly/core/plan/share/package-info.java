/**
 * Who of several owners of one priority is served first.
 *
 * <p>Start with {@link dev.mayfly.core.plan.share.FairShareRule}, which grants, plans, estimates
 * and reasons ask alike.
 */
@NullMarked
package dev.mayfly.core.plan.share;

import org.jspecify.annotations.NullMarked;
