/**
 * The command {@code mayfly}: one class a command.
 *
 * <p>Start with {@link dev.mayfly.cli.Main}, then {@link dev.mayfly.cli.Verbs} for the list of the
 * commands and any {@code …Command} for one of them. A {@link dev.mayfly.cli.Session} is all that a
 * command knows of the world.
 *
 * <p><b>Rule:</b> a control plane is reached by publishing, by HTTP and by objects only ({@link
 * dev.mayfly.cli.reach}); nothing here runs it. What is shown is made by {@link
 * dev.mayfly.cli.show} from values, and what takes many steps is in {@link dev.mayfly.cli.flow}.
 */
@NullMarked
package dev.mayfly.cli;

import org.jspecify.annotations.NullMarked;
