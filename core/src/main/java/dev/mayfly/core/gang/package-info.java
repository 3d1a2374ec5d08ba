/**
 * Work that starts together and ends together on several hosts: the hosts of one slice, or n
 * workers of one pool (decision 13).
 *
 * <p>Start with {@link dev.mayfly.core.model.GangRun}, then {@link
 * dev.mayfly.core.gang.GangLifecycle}, which has the one table of the control plane's side. {@link
 * dev.mayfly.core.gang.Membership} is the host's side of the same protocol, and {@link
 * dev.mayfly.core.gang.GangEnvironment} what a task learns of its peers. {@code docs/states.md}
 * draws the table.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.gang;

import org.jspecify.annotations.NullMarked;
