/**
 * Runs attempts: folder, code, input, process, end.
 *
 * <p>Start at {@link dev.mayfly.agent.task.Tasks}, which answers the loop's Start, Kill and
 * DropWork; {@link dev.mayfly.agent.task.Task} is the life of one attempt.
 *
 * <p><b>Rule:</b> an attempt's end is told only when none of its processes is left.
 */
@NullMarked
package dev.mayfly.agent.task;

import org.jspecify.annotations.NullMarked;
