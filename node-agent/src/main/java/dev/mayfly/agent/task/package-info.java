/**
 * Runs attempts: folder, code, input, process, end.
 *
 * <p>Start with {@link dev.mayfly.agent.task.TaskExecutor}, which answers the loop's Prepare, Start
 * and Kill; {@link dev.mayfly.agent.task.AttemptState} is the life of one attempt.
 */
@NullMarked
package dev.mayfly.agent.task;

import org.jspecify.annotations.NullMarked;
