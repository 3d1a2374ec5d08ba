/**
 * Starts processes, waits for them and enforces their limits.
 *
 * <p>Start with {@link dev.mayfly.agent.process.CommandLauncher}; {@link
 * dev.mayfly.agent.process.ProgramRunner} runs the machine's own programs.
 */
@NullMarked
package dev.mayfly.agent.process;

import org.jspecify.annotations.NullMarked;
