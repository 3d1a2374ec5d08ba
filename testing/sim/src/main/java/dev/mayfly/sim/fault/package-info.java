/**
 * The kinds of faults and how one is injected into a port call.
 *
 * <p>Start with {@link dev.mayfly.sim.fault.Fault}, then {@link
 * dev.mayfly.sim.fault.FaultInjector}.
 */
@NullMarked
package dev.mayfly.sim.fault;

import org.jspecify.annotations.NullMarked;
