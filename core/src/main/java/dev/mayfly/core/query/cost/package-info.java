/**
 * What the machines of a cluster cost, and what for. Start with {@link
 * dev.mayfly.core.query.cost.CostReader}.
 */
@NullMarked
package dev.mayfly.core.query.cost;

import org.jspecify.annotations.NullMarked;
