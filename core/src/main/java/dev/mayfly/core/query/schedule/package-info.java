/**
 * What users see of schedules. Start with {@link dev.mayfly.core.query.schedule.ScheduleReader}.
 */
@NullMarked
package dev.mayfly.core.query.schedule;

import org.jspecify.annotations.NullMarked;
