/** The agent's loop on a machine, pure over ports. */
@NullMarked
package dev.mayfly.core.agent;

import org.jspecify.annotations.NullMarked;
