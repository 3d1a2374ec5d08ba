/**
 * Specifications of clusters: pools, their machines and what they may cost.
 *
 * <p>Start with ClusterSpec.
 */
@NullMarked
package dev.mayfly.core.model.cluster;

import org.jspecify.annotations.NullMarked;
