/**
 * The agent's loop on a machine: events in, effects out.
 *
 * <p>Start with {@link dev.mayfly.core.agent.Agent}, then {@link dev.mayfly.core.agent.AgentEvent}
 * and {@link dev.mayfly.core.agent.AgentEffect}. Module {@code node-agent} performs the effects on
 * threads, module {@code sim} in virtual time; what both must do alike is in {@link
 * dev.mayfly.core.agent.Publication} and {@link dev.mayfly.core.agent.Invocation}.
 *
 * <p><b>Rule:</b> the loop reads no clock, starts no thread, does no I/O and makes no random value
 * of its own; only {@code Publication} calls a port.
 */
@NullMarked
package dev.mayfly.core.agent;

import org.jspecify.annotations.NullMarked;
