/**
 * How user messages become commands: refused, repeated, redelivered, out of order.
 *
 * <p>Start with {@link dev.mayfly.sim.command.CommandHandlerTest}.
 */
@NullMarked
package dev.mayfly.sim.command;

import org.jspecify.annotations.NullMarked;
