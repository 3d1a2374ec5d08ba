/**
 * Cloud Scheduler over gRPC: jobs with a cron schedule that publish to Pub/Sub.
 *
 * <p>The tests of the adapter {@code gcp.scheduler} use it. Start at CloudSchedulerTest;
 * SchedulerApi is the simulated service.
 */
@NullMarked
package dev.mayfly.local.scheduler;

import org.jspecify.annotations.NullMarked;
