/**
 * How a command fails: exit codes by who can fix the error, and the message for the user.
 *
 * <p>Start with {@link dev.mayfly.cli.error.CommandExitCode}.
 */
@NullMarked
package dev.mayfly.cli.error;

import org.jspecify.annotations.NullMarked;
