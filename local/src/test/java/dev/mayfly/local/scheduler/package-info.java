/**
 * Cloud Scheduler over gRPC: jobs with a cron schedule that publish to Pub/Sub.
 *
 * <p>Start at SchedulerApi, the service.
 */
@NullMarked
package dev.mayfly.local.scheduler;

import org.jspecify.annotations.NullMarked;
