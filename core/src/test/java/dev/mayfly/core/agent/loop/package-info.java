/**
 * The parts of the agent's event loop: events, effects, clocks, timers, settings, and when the next
 * sync is due.
 *
 * <p>Start with AgentEvent and AgentEffect.
 */
@NullMarked
package dev.mayfly.core.agent.loop;

import org.jspecify.annotations.NullMarked;
