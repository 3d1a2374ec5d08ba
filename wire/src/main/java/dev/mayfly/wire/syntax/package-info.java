/**
 * YAML and JSON text as one tree of nodes that know their lines, with defaults merged and variables
 * substituted.
 *
 * <p>Start with {@link dev.mayfly.wire.syntax.DocumentParser}; all limits are checked while
 * reading, before anything is expanded.
 */
@NullMarked
package dev.mayfly.wire.syntax;

import org.jspecify.annotations.NullMarked;
