/**
 * The control plane as the triggers of the real functions call it, with a CPU all the time or only
 * during a call.
 *
 * <p>Start with {@link dev.mayfly.sim.control.ControlPlaneEntry}.
 */
@NullMarked
package dev.mayfly.sim.control;

import org.jspecify.annotations.NullMarked;
