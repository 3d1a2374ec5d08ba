package dev.mayfly.core.agent;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.Computation;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Test values; each test sets only what it depends on. */
public final class AgentFixtures {
  public static final Instant T0 = Instant.parse("2026-11-01T12:00:00Z");
  static final ClockReading START = new ClockReading(T0, 1_000_000_000_000L);
  static final Incarnation INCARNATION = new Incarnation("i-1", "boot-1", T0);

  private AgentFixtures() {}

  /** A machine with that many CPUs. */
  public static WorkerInfo machine(int cpus) {
    return machine(Resources.cpu(cpus, 16L << 30));
  }

  public static WorkerInfo machine(Resources visible) {
    return new WorkerInfo("c1", "w1", "p", "nonce", "http://x", "file:///b", visible);
  }

  /** A job of counted tasks of one CPU each; timeout 1 h, grace 10 s, cut-off 15 min. */
  public static JobInfo job() {
    return job(false);
  }

  public static JobInfo exclusive() {
    return job(true);
  }

  private static JobInfo job(boolean exclusive) {
    return job(exclusive, Duration.ofSeconds(10));
  }

  public static JobInfo graceful(Duration grace) {
    return job(false, grace);
  }

  private static JobInfo job(boolean exclusive, Duration grace) {
    var run =
        new JobSpec.Run(
            List.of("true"),
            Optional.empty(),
            Map.of(),
            Duration.ofHours(1),
            grace,
            Duration.ofMinutes(15),
            Map.of(),
            Optional.empty(),
            Map.of(),
            TaskRights.NONE,
            Optional.empty());
    return jobInfo(
        new TaskSource.Count(1_000_000), data(false, false), run, Resources.cpu(1, 0), exclusive);
  }

  public static JobInfo needing(Resources need) {
    return jobInfo(new TaskSource.Count(100), data(false, false), job().spec().run(), need, false);
  }

  public static JobInfo listed() {
    return jobInfo(
        new TaskSource.Inputs("file:///in/*"),
        data(false, false),
        job().spec().run(),
        Resources.cpu(1, 0),
        false);
  }

  public static JobInfo with(JobSpec.Data data) {
    return jobInfo(
        new TaskSource.Count(1_000), data, job().spec().run(), Resources.cpu(1, 0), false);
  }

  public static JobSpec.Data data(boolean written, boolean overwrite) {
    return new JobSpec.Data(
        Optional.of("file:///out/{index}.txt"),
        false,
        written ? OutputMode.WRITTEN : OutputMode.UPLOADED,
        overwrite,
        Optional.empty());
  }

  private static JobInfo jobInfo(
      TaskSource tasks, JobSpec.Data data, JobSpec.Run run, Resources need, boolean exclusive) {
    var spec =
        new JobSpec(
            "job",
            "c1",
            Optional.empty(),
            tasks,
            data,
            run,
            need,
            SpecFixtures.retries(3),
            50,
            Placement.ANYWHERE,
            exclusive,
            0,
            false,
            Optional.empty(),
            Optional.empty());
    return new JobInfo(
        "j1", "h1", spec, "file:///b", Map.of(), 1_000_000, Optional.empty(), Optional.empty());
  }

  public static LeaseRef lease(long start) {
    return new LeaseRef("j1", start, 1);
  }

  public static TaskAttempt attempt(long start, long index) {
    return new TaskAttempt(lease(start), index);
  }

  /** An order for [start, end). */
  public static SyncOrders.Lease order(long start, long end) {
    return new SyncOrders.Lease(lease(start), end, TaskSet.none(start), "h1", false);
  }

  public static SyncOrders.Lease recalled(long start, long end) {
    return new SyncOrders.Lease(lease(start), end, TaskSet.none(start), "h1", true);
  }

  /** An order for [start, end) in which users stopped these tasks. */
  public static SyncOrders.Lease stopping(long start, long end, Long... tasks) {
    var stop = TaskSet.where(start, end, List.of(tasks)::contains);
    return new SyncOrders.Lease(
        lease(start),
        end,
        TaskSet.none(start),
        "h1",
        false,
        Optional.of(stop),
        Optional.empty(),
        Optional.empty());
  }

  /** The upload of an attempt that met no rival. */
  public static AgentEffect.Upload upload(TaskAttempt taskAttempt, JobInfo jobInfo) {
    var item = TaskItem.counted(taskAttempt.index());
    var made = Computation.of(jobInfo, item, Optional.empty());
    return new AgentEffect.Upload(
        taskAttempt, jobInfo, item, made, Optional.empty(), Optional.empty());
  }

  /** The metadata of an output that another attempt of the same computation stored. */
  public static Map<String, String> sameComputation(JobInfo jobInfo, long index, String attempt) {
    var metadata = new HashMap<String, String>();
    metadata.put("mayfly-job", jobInfo.job());
    metadata.put("mayfly-task", Long.toString(index));
    metadata.put("mayfly-attempt", attempt);
    jobInfo.since().ifPresent(since -> metadata.put("mayfly-since", since.toString()));
    var item = TaskItem.counted(index);
    metadata.putAll(Computation.of(jobInfo, item, Optional.empty()).metadata());
    return metadata;
  }

  public static StoredOutput output(TaskAttempt taskAttempt) {
    return new StoredOutput(
        "j1",
        taskAttempt.index(),
        taskAttempt.name(),
        "file:///out/x",
        7,
        1,
        "AAAAAA==",
        MadeFrom.UNKNOWN);
  }
}
