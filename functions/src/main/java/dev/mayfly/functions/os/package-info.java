/**
 * What a function's process has from its operating system: alarms and random names.
 *
 * <p>Start with {@link dev.mayfly.functions.os.ProcessPorts}, the one public way in.
 */
@NullMarked
package dev.mayfly.functions.os;

import org.jspecify.annotations.NullMarked;
