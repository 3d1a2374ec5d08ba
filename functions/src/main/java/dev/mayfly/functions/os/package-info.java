/**
 * What a function's process gets from the operating system and gives to it: threads, random names,
 * and log lines.
 *
 * <p>Start with {@link dev.mayfly.functions.os.ProcessPorts}; {@link
 * dev.mayfly.functions.os.LogFormatter} writes the log.
 */
@NullMarked
package dev.mayfly.functions.os;

import org.jspecify.annotations.NullMarked;
