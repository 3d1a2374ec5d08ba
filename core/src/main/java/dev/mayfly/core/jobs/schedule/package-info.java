/**
 * Jobs that are submitted again and again. Start with {@link
 * dev.mayfly.core.jobs.schedule.ScheduleRunner} for what happens at their times, and with {@link
 * dev.mayfly.core.jobs.schedule.ScheduleCommands} for what users command.
 */
@NullMarked
package dev.mayfly.core.jobs.schedule;

import org.jspecify.annotations.NullMarked;
