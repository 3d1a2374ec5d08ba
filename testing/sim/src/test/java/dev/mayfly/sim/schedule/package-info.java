/** Schedules: jobs that are submitted again and again. */
@NullMarked
package dev.mayfly.sim.schedule;

import org.jspecify.annotations.NullMarked;
