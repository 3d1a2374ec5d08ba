/**
 * One class per trigger, on the Functions Framework's interfaces: decode, call, translate.
 *
 * <p>Start with {@link dev.mayfly.functions.ControlPlaneFunctions}, which creates all entry points
 * from the ports.
 *
 * <p><b>Rule:</b> no decisions are made here.
 */
@NullMarked
package dev.mayfly.functions;

import org.jspecify.annotations.NullMarked;
