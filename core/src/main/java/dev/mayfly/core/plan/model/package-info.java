/**
 * What a plan is made from and what it says, as values.
 *
 * <p>Start with {@link dev.mayfly.core.plan.model.ClusterSnapshot} and {@link
 * dev.mayfly.core.plan.model.Plan}.
 */
@NullMarked
package dev.mayfly.core.plan.model;

import org.jspecify.annotations.NullMarked;
