/**
 * The attempts on this machine from start to sentinel, with their leases and resources.
 *
 * <p>Start with TaskLifecycle; OutputPublisher takes over after exit code 0.
 */
@NullMarked
package dev.mayfly.core.agent.task;

import org.jspecify.annotations.NullMarked;
