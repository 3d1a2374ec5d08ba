/**
 * What each function does with an event or an HTTP call: authenticate the caller, decode, call the
 * control plane, and answer.
 *
 * <p>Start with {@link dev.mayfly.functions.handler.MessageHandler} or {@link
 * dev.mayfly.functions.handler.WorkersHandler}; {@link dev.mayfly.functions.handler.ErrorBoundary}
 * turns failures into answers for all of them.
 */
@NullMarked
package dev.mayfly.functions.handler;

import org.jspecify.annotations.NullMarked;
