/**
 * Programs that are started once and given task after task.
 *
 * <p>Start with {@link dev.mayfly.agent.runner.RunnerPool}.
 */
@NullMarked
package dev.mayfly.agent.runner;

import org.jspecify.annotations.NullMarked;
