/**
 * Finds every process of an attempt, also those that left its session, and ends them.
 *
 * <p>Start with {@link dev.mayfly.agent.process.kill.ProcessTreeKiller}; {@link
 * dev.mayfly.agent.process.kill.ProcessTable} is the one reader of /proc.
 */
@NullMarked
package dev.mayfly.agent.process.kill;

import org.jspecify.annotations.NullMarked;
