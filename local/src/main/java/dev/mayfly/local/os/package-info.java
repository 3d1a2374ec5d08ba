/**
 * What the laptop cloud needs of the operating system: folders that survive the process, child
 * processes, signals and ports.
 *
 * <p>Start at {@link dev.mayfly.local.os.HomeFolder} and {@link dev.mayfly.local.os.ChildProcess}.
 */
@NullMarked
package dev.mayfly.local.os;

import org.jspecify.annotations.NullMarked;
