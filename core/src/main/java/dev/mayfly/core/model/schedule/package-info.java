/**
 * When a schedule submits its job: start with {@link dev.mayfly.core.model.schedule.ScheduleRule}.
 */
@NullMarked
package dev.mayfly.core.model.schedule;

import org.jspecify.annotations.NullMarked;
