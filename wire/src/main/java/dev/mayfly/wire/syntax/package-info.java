/**
 * Parses YAML and JSON into one tree of nodes with line numbers, merges defaults and substitutes
 * variables.
 *
 * <p>Start with {@link dev.mayfly.wire.syntax.DocumentParser}; all limits are checked while
 * reading, before anything is expanded.
 */
@NullMarked
package dev.mayfly.wire.syntax;

import org.jspecify.annotations.NullMarked;
