/**
 * How outputs, sentinels and task lists are read and written in the object store.
 *
 * <p>Start with ObjectEffectExecutor, the only class of the agent that calls a port; every runner
 * of the agent uses it.
 */
@NullMarked
package dev.mayfly.core.agent.output;

import org.jspecify.annotations.NullMarked;
