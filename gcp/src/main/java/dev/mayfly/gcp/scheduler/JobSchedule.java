package dev.mayfly.gcp.scheduler;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.scheduler.v1.CloudSchedulerClient;
import com.google.cloud.scheduler.v1.CloudSchedulerSettings;
import com.google.cloud.scheduler.v1.Job;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.port.Schedule;
import dev.mayfly.gcp.LazyClient;
import dev.mayfly.gcp.StandIn;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** One job of Cloud Scheduler. */
final class JobSchedule implements Schedule {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final String job;
  private final Optional<StandIn> standIn;
  private final LazyClient<CloudSchedulerClient> client =
      new LazyClient<>("Cloud Scheduler", () -> CloudSchedulerClient.create(settings()));

  JobSchedule(String job, Optional<StandIn> standIn) {
    this.job = job;
    this.standIn = standIn;
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
      throw refused(what + " job " + job + ": " + e.getMessage(), e);
    }
  }

  private static MayflyException refused(String text, ApiException cause) {
    return cause instanceof PermissionDeniedException
        ? new MissingPermission(
            text
                + "; grant the function's account the role it lacks: apply the Terraform configuration",
            cause)
        : new Unavailable(text, cause);
  }

  private CloudSchedulerSettings settings() throws IOException {
    var builder = CloudSchedulerSettings.newBuilder();
    standIn.ifPresent(it -> it.grpc(builder));
    builder.pauseJobSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    builder.resumeJobSettings().setSimpleTimeoutNoRetriesDuration(LIMIT);
    return builder.build();
  }
}
