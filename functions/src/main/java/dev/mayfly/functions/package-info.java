/**
 * One class a trigger, on the Functions Framework's interfaces: decode, call, translate.
 *
 * <p>Start with {@link dev.mayfly.functions.ControlPlaneFunctions}, which makes every entry point
 * from the ports.
 *
 * <p><b>Rule:</b> nothing here decides anything.
 */
@NullMarked
package dev.mayfly.functions;

import org.jspecify.annotations.NullMarked;
