/**
 * A fake for every port, in virtual time.
 *
 * <p>Each Sim class keeps the true state, each Hooked class is the port as one process reaches it.
 * Start with {@link dev.mayfly.sim.fake.SimLedger} and {@link dev.mayfly.sim.fake.HookedLedger}.
 */
@NullMarked
package dev.mayfly.sim.fake;

import org.jspecify.annotations.NullMarked;
