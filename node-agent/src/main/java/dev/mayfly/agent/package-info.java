/** The process on each machine that runs tasks. */
@NullMarked
package dev.mayfly.agent;

import org.jspecify.annotations.NullMarked;
