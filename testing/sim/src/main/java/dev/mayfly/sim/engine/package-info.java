/**
 * The discrete-event engine: virtual time, processes that can freeze or die, seeded randomness and
 * the trace.
 *
 * <p>Start with {@link dev.mayfly.sim.engine.SimTime}. Nothing here depends on the wall clock, on
 * identity or on the order of a hash.
 */
@NullMarked
package dev.mayfly.sim.engine;

import org.jspecify.annotations.NullMarked;
