/**
 * What is to be done in the world, as values.
 *
 * <p>Start with {@link dev.mayfly.core.effect.Effect}. A state machine returns effects in a {@link
 * dev.mayfly.core.effect.Transition}; {@code dev.mayfly.core.control} commits the state first and
 * performs them then.
 *
 * <p><b>Rule:</b> nothing here reads a clock, makes an id, logs or does I/O.
 */
@NullMarked
package dev.mayfly.core.effect;

import org.jspecify.annotations.NullMarked;
