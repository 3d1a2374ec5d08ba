/**
 * Tests of the commands that need no control plane.
 *
 * <p>Start with {@link dev.mayfly.cli.document.ValidateCommandTest}.
 */
@NullMarked
package dev.mayfly.cli.document;

import org.jspecify.annotations.NullMarked;
