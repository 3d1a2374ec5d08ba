/**
 * What the laptop cloud needs of the operating system: folders that survive the process, child
 * processes, signals and ports.
 *
 * <p>Start at HomeFolder and ChildProcess.
 */
@NullMarked
package dev.mayfly.local.os;

import org.jspecify.annotations.NullMarked;
