/**
 * Specifications of clusters: pools, their machines and what they may cost.
 *
 * <p>Start with {@link dev.mayfly.core.model.cluster.ClusterSpec}.
 */
@NullMarked
package dev.mayfly.core.model.cluster;

import org.jspecify.annotations.NullMarked;
