/**
 * Finds and kills every process of an attempt, including those that left its session.
 *
 * <p>Start with {@link dev.mayfly.agent.process.kill.ProcessTreeKiller}. Only {@link
 * dev.mayfly.agent.process.kill.ProcessTable} reads /proc.
 */
@NullMarked
package dev.mayfly.agent.process.kill;

import org.jspecify.annotations.NullMarked;
