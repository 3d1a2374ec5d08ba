package dev.mayfly.gcp.scheduler;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.scheduler.v1.CloudSchedulerClient;
import com.google.cloud.scheduler.v1.CloudSchedulerSettings;
import com.google.cloud.scheduler.v1.Job;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.gcp.ApiError;
import dev.mayfly.gcp.EndpointOverride;
import dev.mayfly.gcp.LazyClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** One Cloud Scheduler job. */
final class CloudTickScheduler implements TickScheduler {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final String job;
  private final Optional<EndpointOverride> endpointOverride;
  private final LazyClient<CloudSchedulerClient> client =
      new LazyClient<>("Cloud Scheduler", () -> CloudSchedulerClient.create(settings()));

  CloudTickScheduler(String job, Optional<EndpointOverride> endpointOverride) {
    this.job = job;
    this.endpointOverride = endpointOverride;
  }

  @Override
  public void pause() {
    var _ = call("Pausing", scheduler -> scheduler.pauseJob(job));
  }

  @Override
  public void resume() {
    var _ = call("Resuming", scheduler -> scheduler.resumeJob(job));
  }

  @Override
  public boolean paused() {
    return call("Looking at", scheduler -> scheduler.getJob(job)).getState() == Job.State.PAUSED;
  }

  private Job call(String what, Function<CloudSchedulerClient, Job> call) {
    try {
      return call.apply(client.get());
    } catch (ApiException e) {
      throw ApiError.exception(
          what + " job " + job + ": " + e.getMessage(), e instanceof PermissionDeniedException, e);
    }
  }

  private CloudSchedulerSettings settings() throws IOException {
    var builder = CloudSchedulerSettings.newBuilder();
    endpointOverride.ifPresent(it -> it.configureGrpc(builder));
    builder.pauseJobSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.resumeJobSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    return builder.build();
  }
}
