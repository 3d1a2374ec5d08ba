/**
 * Commands about clusters, slices and static workers against fakes.
 *
 * <p>Start with {@link dev.mayfly.sim.clusters.ClusterCommandsTest}.
 */
@NullMarked
package dev.mayfly.sim.clusters;

import org.jspecify.annotations.NullMarked;
