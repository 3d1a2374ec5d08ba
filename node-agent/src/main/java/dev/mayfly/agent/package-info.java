/**
 * The process on each machine that runs tasks.
 *
 * <p>Start with {@link dev.mayfly.agent.Main}, then {@link dev.mayfly.agent.Wiring}, which gives
 * {@code dev.mayfly.core.agent.Agent} its threads and adapters.
 */
@NullMarked
package dev.mayfly.agent;

import org.jspecify.annotations.NullMarked;
