/**
 * The functions' handlers of events and HTTP calls: authenticate the caller, decode, call the
 * control plane, answer.
 *
 * <p>Start with {@link dev.mayfly.functions.handler.MessageHandler} or {@link
 * dev.mayfly.functions.handler.WorkersHandler}; {@link dev.mayfly.functions.handler.ErrorBoundary}
 * turns failures into answers for all of them.
 */
@NullMarked
package dev.mayfly.functions.handler;

import org.jspecify.annotations.NullMarked;
