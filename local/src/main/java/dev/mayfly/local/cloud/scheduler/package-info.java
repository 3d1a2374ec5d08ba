/**
 * Cloud Scheduler as gRPC: jobs with a cron clock that publish to Pub/Sub.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.scheduler.SchedulerApi}, the service.
 */
@NullMarked
package dev.mayfly.local.cloud.scheduler;

import org.jspecify.annotations.NullMarked;
