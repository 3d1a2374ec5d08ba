/**
 * Calls of the C library that Java does not have. Start at {@link
 * dev.mayfly.agent.libc.OpenFolder}, by which the agent opens whatever a task may have changed.
 */
@NullMarked
package dev.mayfly.agent.libc;

import org.jspecify.annotations.NullMarked;
