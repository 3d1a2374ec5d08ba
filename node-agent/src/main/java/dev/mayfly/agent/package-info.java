/**
 * The agent process, which runs tasks on each machine.
 *
 * <p>Start with {@link dev.mayfly.agent.Main}, then {@link dev.mayfly.agent.AgentWiring}, which
 * gives core's Agent its threads and adapters.
 */
@NullMarked
package dev.mayfly.agent;

import org.jspecify.annotations.NullMarked;
