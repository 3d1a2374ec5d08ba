/**
 * Converts records to and from JSON objects by their components.
 *
 * <p>Start with {@link dev.mayfly.wire.codec.CodecRegistry}, which finds the codec of a type once
 * and keeps it.
 */
@NullMarked
package dev.mayfly.wire.codec;

import org.jspecify.annotations.NullMarked;
