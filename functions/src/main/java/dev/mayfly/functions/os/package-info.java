/**
 * The operating system's services for a function's process: alarms and random names.
 *
 * <p>Start with {@link dev.mayfly.functions.os.ProcessPorts}, the only public entry point.
 */
@NullMarked
package dev.mayfly.functions.os;

import org.jspecify.annotations.NullMarked;
