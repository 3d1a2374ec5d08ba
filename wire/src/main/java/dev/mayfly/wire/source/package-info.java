/**
 * What a user wrote, as a tree that remembers its lines.
 *
 * <p>Start with {@link dev.mayfly.wire.source.Source}. YAML and JSON become the same {@link
 * dev.mayfly.wire.source.Node}s; {@link dev.mayfly.wire.source.Headers} then merges {@code
 * defaults} and puts {@code variables} in their places. All caps ({@link
 * dev.mayfly.wire.source.Caps}) are checked while reading, before anything is expanded.
 */
@NullMarked
package dev.mayfly.wire.source;

import org.jspecify.annotations.NullMarked;
