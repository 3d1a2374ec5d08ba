/**
 * Cloud Scheduler's tick of each minute, paused while there is nothing to reconcile.
 *
 * <p>Start with {@link dev.mayfly.gcp.scheduler.CloudScheduler}, the only public entry point.
 */
@NullMarked
package dev.mayfly.gcp.scheduler;

import org.jspecify.annotations.NullMarked;
