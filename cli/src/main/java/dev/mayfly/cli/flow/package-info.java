/**
 * What takes many steps and some waiting: submitting, following, reading logs.
 *
 * <p>Start with {@link dev.mayfly.cli.flow.Submitting}. Each waits through {@link
 * dev.mayfly.cli.flow.Waiting}, so that tests do not.
 */
@NullMarked
package dev.mayfly.cli.flow;

import org.jspecify.annotations.NullMarked;
