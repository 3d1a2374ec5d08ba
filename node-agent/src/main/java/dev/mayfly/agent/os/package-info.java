/**
 * What the agent asks of the operating system: processes that can be killed whole, limits, devices,
 * private directories.
 *
 * <p>Start at {@link dev.mayfly.agent.os.Launcher} (starts a command in a session of its own) and
 * {@link dev.mayfly.agent.os.WholeKill} (ends everything that an attempt left behind, and says
 * whether it did). {@link dev.mayfly.agent.os.ProcessTable} is the one reader of {@code /proc}.
 *
 * <p><b>Rule:</b> nothing here knows of jobs, leases or the control plane.
 */
@NullMarked
package dev.mayfly.agent.os;

import org.jspecify.annotations.NullMarked;
