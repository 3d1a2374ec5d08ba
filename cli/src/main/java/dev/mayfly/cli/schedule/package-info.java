/**
 * Jobs that are submitted again and again: their submission, their list, and the commands that
 * change them.
 *
 * <p>Start with {@link dev.mayfly.cli.schedule.ScheduleCommand}.
 */
@NullMarked
package dev.mayfly.cli.schedule;

import org.jspecify.annotations.NullMarked;
