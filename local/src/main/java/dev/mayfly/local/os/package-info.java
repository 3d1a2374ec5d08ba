/**
 * The laptop cloud's use of the operating system: durable folders, child processes, signals and
 * ports.
 *
 * <p>Start at {@link dev.mayfly.local.os.HomeFolder} and {@link dev.mayfly.local.os.ChildProcess}.
 */
@NullMarked
package dev.mayfly.local.os;

import org.jspecify.annotations.NullMarked;
