/**
 * Runs tasks in containers, with the machine's podman or docker.
 *
 * <p>Start with {@link dev.mayfly.agent.container.ContainerEngine}.
 */
@NullMarked
package dev.mayfly.agent.container;

import org.jspecify.annotations.NullMarked;
