/**
 * The minute tick of Cloud Scheduler, which is paused while there is nothing to look after.
 *
 * <p>Start with {@link dev.mayfly.gcp.scheduler.CloudScheduler}, the one public way in.
 */
@NullMarked
package dev.mayfly.gcp.scheduler;

import org.jspecify.annotations.NullMarked;
