/**
 * Failures of machines, instances and stores, one a test, in whole worlds.
 *
 * <p>Start with {@link dev.mayfly.sim.failure.WorkerLossTest}.
 */
@NullMarked
package dev.mayfly.sim.failure;

import org.jspecify.annotations.NullMarked;
