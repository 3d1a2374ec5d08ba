/**
 * Tasks on several hosts at once, in whole worlds: start, end, loss of a host, large gangs.
 *
 * <p>Start with {@link dev.mayfly.sim.gang.GangTest}.
 */
@NullMarked
package dev.mayfly.sim.gang;

import org.jspecify.annotations.NullMarked;
