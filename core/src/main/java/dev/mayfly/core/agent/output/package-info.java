/**
 * How outputs, sentinels and task lists are read and written in the object store.
 *
 * <p>Start with {@link dev.mayfly.core.agent.output.ObjectEffectExecutor}, which every runner of
 * the agent uses; the other classes each do one of its effects. No other package of the core's
 * agent calls the object store.
 */
@NullMarked
package dev.mayfly.core.agent.output;

import org.jspecify.annotations.NullMarked;
