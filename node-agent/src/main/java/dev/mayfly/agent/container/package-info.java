/**
 * Tasks in containers, through the podman or docker that the machine has.
 *
 * <p>Start with {@link dev.mayfly.agent.container.ContainerEngine}.
 */
@NullMarked
package dev.mayfly.agent.container;

import org.jspecify.annotations.NullMarked;
