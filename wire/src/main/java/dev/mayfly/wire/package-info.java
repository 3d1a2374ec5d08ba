/**
 * Core's values to and from the JSON of {@code schemas/}.
 *
 * <p>Start with {@link dev.mayfly.wire.Wire}; {@link dev.mayfly.wire.document} has what users
 * write, {@link dev.mayfly.wire.shape} what is stored and what agents say.
 */
@NullMarked
package dev.mayfly.wire;

import org.jspecify.annotations.NullMarked;
