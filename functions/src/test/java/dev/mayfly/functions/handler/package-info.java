/**
 * What each function does with an event or an HTTP call: authenticate the caller, decode, call the
 * control plane, and answer.
 *
 * <p>Start with MessageHandler or WorkersHandler; ErrorBoundary turns failures into answers for all
 * of them.
 */
@NullMarked
package dev.mayfly.functions.handler;

import org.jspecify.annotations.NullMarked;
