/**
 * Setups: folders that the first task of a kind makes on a machine and later ones find.
 *
 * <p>Start with {@link dev.mayfly.agent.setup.SetupStore}. {@link dev.mayfly.agent.setup.SetupKey}
 * says when two tasks share a setup, {@link dev.mayfly.agent.setup.SetupFault} who must mend one
 * that failed.
 *
 * <p><b>Rule:</b> nothing here starts a process; {@code task} does, with the rights of its attempt.
 */
@NullMarked
package dev.mayfly.agent.setup;

import org.jspecify.annotations.NullMarked;
