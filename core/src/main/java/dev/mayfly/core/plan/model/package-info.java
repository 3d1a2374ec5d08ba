/**
 * The inputs and the result of a plan, as values.
 *
 * <p>Start with {@link dev.mayfly.core.plan.model.ClusterSnapshot} and {@link
 * dev.mayfly.core.plan.model.Plan}.
 */
@NullMarked
package dev.mayfly.core.plan.model;

import org.jspecify.annotations.NullMarked;
