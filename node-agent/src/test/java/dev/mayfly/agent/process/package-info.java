/**
 * Starts processes, waits for them and enforces their limits.
 *
 * <p>Start with CommandLauncher; ProgramRunner runs the machine's own programs.
 */
@NullMarked
package dev.mayfly.agent.process;

import org.jspecify.annotations.NullMarked;
