/**
 * One class per trigger, on the Functions Framework's interfaces, which delegates to a handler.
 *
 * <p>Start with {@link dev.mayfly.functions.ControlPlaneFunctions}, which makes the handlers;
 * {@link dev.mayfly.functions.FunctionWiring} makes the context.
 *
 * <p><b>Rule:</b> no decisions are made here.
 */
@NullMarked
package dev.mayfly.functions;

import org.jspecify.annotations.NullMarked;
