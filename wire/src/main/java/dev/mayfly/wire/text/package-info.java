/**
 * Durations, amounts and words as people write them.
 *
 * <p>Start with {@link dev.mayfly.wire.text.DurationFormat} and {@link
 * dev.mayfly.wire.text.QuantityFormat}. What these write they read back to the same value; what
 * they read and cannot mean is an {@link IllegalArgumentException} with a sentence for the user.
 */
@NullMarked
package dev.mayfly.wire.text;

import org.jspecify.annotations.NullMarked;
