package dev.mayfly.local.scheduler;

import com.google.cloud.scheduler.v1.CloudSchedulerGrpc;
import com.google.cloud.scheduler.v1.CreateJobRequest;
import com.google.cloud.scheduler.v1.DeleteJobRequest;
import com.google.cloud.scheduler.v1.GetJobRequest;
import com.google.cloud.scheduler.v1.Job;
import com.google.cloud.scheduler.v1.ListJobsRequest;
import com.google.cloud.scheduler.v1.ListJobsResponse;
import com.google.cloud.scheduler.v1.PauseJobRequest;
import com.google.cloud.scheduler.v1.ResumeJobRequest;
import com.google.cloud.scheduler.v1.RunJobRequest;
import com.google.protobuf.Empty;
import dev.mayfly.local.http.GrpcReply;
import dev.mayfly.local.os.DocumentFolder;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service {@code google.cloud.scheduler.v1.CloudScheduler}, with its own clock. */
final class SchedulerApi extends CloudSchedulerGrpc.CloudSchedulerImplBase
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerApi.class);

  private final SchedulerJobs jobs;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("scheduler").factory());

  private SchedulerApi(SchedulerJobs jobs) {
    this.jobs = jobs;
  }

  /**
   * Starts the clock with the jobs of an earlier process.
   *
   * @param folder the folder of jobs
   * @param minute the length of a cron minute here; less than 60 s speeds up time
   */
  public static SchedulerApi start(
      Path folder, SchedulerTarget schedulerTarget, InstantSource clock, Duration minute) {
    var jobs = new SchedulerJobs(new DocumentFolder(folder), schedulerTarget, clock, minute);
    var api = new SchedulerApi(jobs);
    var every = Math.clamp(minute.toMillis() / 10, 10, 1_000);
    var _ = api.timer.scheduleAtFixedRate(api::publishDue, every, every, TimeUnit.MILLISECONDS);
    return api;
  }

  @Override
  public void createJob(CreateJobRequest request, StreamObserver<Job> reply) {
    GrpcReply.to(reply, () -> jobs.create(request.getParent(), request.getJob()));
  }

  @Override
  public void getJob(GetJobRequest request, StreamObserver<Job> reply) {
    GrpcReply.to(reply, () -> jobs.get(request.getName()));
  }

  @Override
  public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> reply) {
    GrpcReply.to(
        reply,
        () -> ListJobsResponse.newBuilder().addAllJobs(jobs.list(request.getParent())).build());
  }

  @Override
  public void deleteJob(DeleteJobRequest request, StreamObserver<Empty> reply) {
    GrpcReply.to(
        reply,
        () -> {
          jobs.delete(request.getName());
          return Empty.getDefaultInstance();
        });
  }

  @Override
  public void pauseJob(PauseJobRequest request, StreamObserver<Job> reply) {
    GrpcReply.to(reply, () -> jobs.setState(request.getName(), Job.State.PAUSED));
  }

  @Override
  public void resumeJob(ResumeJobRequest request, StreamObserver<Job> reply) {
    GrpcReply.to(reply, () -> jobs.setState(request.getName(), Job.State.ENABLED));
  }

  @Override
  public void runJob(RunJobRequest request, StreamObserver<Job> reply) {
    GrpcReply.to(reply, () -> jobs.run(request.getName()));
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }

  private void publishDue() {
    try {
      jobs.publishDue();
    } catch (RuntimeException e) {
      LOG.error("The clock of Cloud Scheduler has failed once", e);
    }
  }
}
