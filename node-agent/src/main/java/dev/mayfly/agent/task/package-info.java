/**
 * Runs attempts: folder, code, input, process, end.
 *
 * <p>Start with {@link dev.mayfly.agent.task.TaskExecutor}, which handles the effects Prepare,
 * Start and Kill; {@link dev.mayfly.agent.task.AttemptState} is the lifecycle of one attempt.
 */
@NullMarked
package dev.mayfly.agent.task;

import org.jspecify.annotations.NullMarked;
