/**
 * Messages that users publish, and triggers that Mayfly sends to its own functions.
 *
 * <p>Start with {@link dev.mayfly.core.model.message.UserCommand} and {@link
 * dev.mayfly.core.model.message.Trigger}.
 */
@NullMarked
package dev.mayfly.core.model.message;

import org.jspecify.annotations.NullMarked;
