/**
 * The ground truth of a world, whether or not the control plane knows it, and what may be observed
 * of it.
 *
 * <p>Start with {@link dev.mayfly.sim.observation.GroundTruth}.
 */
@NullMarked
package dev.mayfly.sim.observation;

import org.jspecify.annotations.NullMarked;
