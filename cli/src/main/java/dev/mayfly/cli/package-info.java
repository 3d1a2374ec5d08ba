/**
 * The command line mayfly: {@link dev.mayfly.cli.Main} runs one command, and {@link
 * dev.mayfly.cli.Commands} lists all of them.
 *
 * <p>Start with {@link dev.mayfly.cli.Main}; a command reaches a control plane by publishing, by
 * HTTP and by objects only, and nothing here runs one.
 */
@NullMarked
package dev.mayfly.cli;

import org.jspecify.annotations.NullMarked;
