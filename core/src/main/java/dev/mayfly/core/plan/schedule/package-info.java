/**
 * When schedules are due: start with {@link dev.mayfly.core.plan.schedule.ScheduleTimes}.
 *
 * <p><b>Rule:</b> nothing here reads a clock; times are arguments.
 */
@NullMarked
package dev.mayfly.core.plan.schedule;

import org.jspecify.annotations.NullMarked;
