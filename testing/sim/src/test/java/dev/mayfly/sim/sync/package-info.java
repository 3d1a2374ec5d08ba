/**
 * Agents' reports and orders, against fakes: leases, heartbeats, loss by silence.
 *
 * <p>Start with {@link dev.mayfly.sim.sync.SyncServiceTest}.
 */
@NullMarked
package dev.mayfly.sim.sync;

import org.jspecify.annotations.NullMarked;
