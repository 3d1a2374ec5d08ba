/**
 * Formats and parses durations, amounts and words.
 *
 * <p>Start with {@link dev.mayfly.wire.text.DurationFormat} and {@link
 * dev.mayfly.wire.text.QuantityFormat}. Written text reads back to the same value; invalid text is
 * an {@link IllegalArgumentException} with a message for the user.
 */
@NullMarked
package dev.mayfly.wire.text;

import org.jspecify.annotations.NullMarked;
