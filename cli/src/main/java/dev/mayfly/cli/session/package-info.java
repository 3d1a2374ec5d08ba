/**
 * Work on machines by hand: a shell beside a task, a command on a worker, forwarded ports, a
 * development session.
 *
 * <p>Start with {@link dev.mayfly.cli.session.AttachCommand}. {@link
 * dev.mayfly.cli.session.TargetLookup} finds the machine, and a {@link
 * dev.mayfly.cli.session.MachineShell} knows how a command gets there: Google's machines are
 * reached by gcloud's own ssh, and the laptop cloud's are processes of this computer. What happens
 * beside a task is decided on the machine, by {@code enter-task} of the agent's bundle.
 */
@NullMarked
package dev.mayfly.cli.session;

import org.jspecify.annotations.NullMarked;
