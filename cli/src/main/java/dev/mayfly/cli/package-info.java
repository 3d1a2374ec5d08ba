/**
 * The command line mayfly: {@link dev.mayfly.cli.Main} runs one command, and {@link
 * dev.mayfly.cli.Commands} lists all of them.
 *
 * <p>Start with {@link dev.mayfly.cli.Main}; commands reach a control plane only by Pub/Sub, HTTP
 * and objects.
 */
@NullMarked
package dev.mayfly.cli;

import org.jspecify.annotations.NullMarked;
