/**
 * What users ask of clusters, workers and manual slices.
 *
 * <p>Start with {@link dev.mayfly.core.clusters.ClusterCommands}.
 */
@NullMarked
package dev.mayfly.core.clusters;

import org.jspecify.annotations.NullMarked;
