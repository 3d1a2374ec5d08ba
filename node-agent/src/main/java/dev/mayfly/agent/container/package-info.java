/**
 * Tasks in containers, through the podman or docker that the machine has.
 *
 * <p>Start with {@link dev.mayfly.agent.container.ContainerEngine}.
 *
 * <p><b>Rule:</b> a value of the environment is never an argument: arguments can be read by all.
 */
@NullMarked
package dev.mayfly.agent.container;

import org.jspecify.annotations.NullMarked;
