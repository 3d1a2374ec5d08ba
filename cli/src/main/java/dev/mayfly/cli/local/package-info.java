/**
 * Commands about the laptop cloud: start it, inject faults into it, show its state.
 *
 * <p>Start with {@link dev.mayfly.cli.local.LocalCommand}.
 */
@NullMarked
package dev.mayfly.cli.local;

import org.jspecify.annotations.NullMarked;
