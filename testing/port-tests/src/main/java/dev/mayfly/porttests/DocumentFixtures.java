package dev.mayfly.porttests;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.gang.GangTimeouts;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.model.schedule.ScheduledRun;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.KeptAttempt;
import dev.mayfly.core.model.worker.MachineUsage.Part;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Documents for contract tests: small, valid, and with distinct names. */
public final class DocumentFixtures {
  /** Whole milliseconds, which every store keeps. */
  public static final Instant T0 = Instant.parse("2026-01-02T03:04:05.678Z");

  private static final LocalDate DAY = LocalDate.parse("2026-11-27");

  private DocumentFixtures() {}

  public static Instant at(long seconds) {
    return T0.plusSeconds(seconds);
  }

  public static PoolSpec pool(String name) {
    return new PoolSpec(
        name,
        "n2-standard-4",
        Resources.cpu(4, 16L << 30),
        List.of("europe-west4-a", "europe-west4-b"),
        Provisioning.SPOT,
        1,
        8,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  public static ClusterSpec clusterSpec(String name) {
    return new ClusterSpec(
        name,
        "gs://lab-bucket",
        Map.of("LANG", "C.UTF-8", "ÜMLAUT", "ä\n\"'"),
        List.of(pool("small"), pool("large")),
        Optional.of("ada"),
        Map.of(),
        Optional.empty(),
        Map.of(),
        List.of(),
        RolloutSpec.DEFAULT,
        TaskRights.NONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  public static Cluster cluster(String uid, Cluster.Phase phase) {
    return new Cluster(uid, clusterSpec("lab"), phase, 3, 7, T0, Optional.empty());
  }

  public static JobSpec jobSpec(String name, TaskSource tasks) {
    return new JobSpec(
        name,
        "lab",
        Optional.empty(),
        tasks,
        new JobSpec.Data(
            Optional.of("gs://lab-bucket/out/{index}"),
            true,
            OutputMode.UPLOADED,
            false,
            Optional.empty()),
        new JobSpec.Run(
            List.of("sh", "-c", "cat \"$1\" > \"$2\"", "x", "{inputFile}", "{outputFile}"),
            Optional.of("gs://lab-bucket/mayfly/.code/abc.zip"),
            Map.of("SEED", "7"),
            Duration.ofMinutes(30),
            Duration.ofSeconds(10),
            Duration.ofMinutes(15),
            Map.of(),
            Optional.empty(),
            Map.of(),
            TaskRights.NONE,
            Optional.of(environment())),
        Resources.cpu(0.5, 1L << 30),
        new RetryRules(3, 100, OnDemandRules.NEVER, List.of()),
        50,
        Placement.inPools(List.of("small")),
        true,
        0,
        false,
        Optional.empty(),
        Optional.empty());
  }

  /** By a person, of a machine that its job keeps as well. */
  static Cordon cordon() {
    var folder = Optional.of("/w/attempts/1");
    var kept = new KeptAttempt("j-1", "ann/train", 3, "s0e1", 0, at(7), folder);
    return new Cordon(at(1), at(9), "by hand", Optional.of(kept));
  }

  private static TaskEnvironment environment() {
    var setup =
        new SetupSpec(
            List.of(),
            List.of("requirements.txt"),
            SetupSpec.TIMEOUT,
            true,
            Optional.of(
                new SetupSpec.Python(Optional.of("requirements.txt"), Optional.of("3.12"))));
    return new TaskEnvironment(
        Optional.of(setup),
        Optional.of("gs://lab-bucket/ck/{index}/"),
        Optional.of(TaskEnvironment.GangMode.JAX),
        Optional.of(1L << 30),
        Optional.of("git+https://github.com/lab/train@" + "1f".repeat(20) + "#ref=main"),
        Optional.of(Duration.ofMinutes(30)),
        Optional.of(new TaskEnvironment.Runner(Optional.of(1_000), Optional.of(8L << 30))));
  }

  public static Job job(String cluster, String uid, JobState state, Instant submittedAt) {
    return new Job(
        cluster,
        uid,
        jobSpec("job-" + uid, new TaskSource.Count(100)),
        "hash-" + uid,
        state,
        new JobTasks(100, Optional.empty(), 10),
        submittedAt,
        submittedAt.plusMillis(250),
        Optional.empty(),
        Optional.empty());
  }

  /** A shard with counters as after some work. */
  public static Shard shard(
      String cluster, String job, long start, long end, Shard.State state, int done, int failed) {
    return new Shard(
        cluster,
        job,
        start,
        end,
        4,
        state,
        state == Shard.State.LEASED ? Optional.of(new Shard.Owner("w-1", 2)) : Optional.empty(),
        TaskSet.where(start, end, i -> i < start + done),
        TaskSet.where(start, end, i -> i >= end - failed),
        TaskCounts.none(start).plusOne(start + 1),
        TaskCounts.none(start).plusOne(start).plusOne(start),
        Map.of(FailureCause.USER, 1L, FailureCause.PREEMPTED, 2L),
        List.of(failure(start + 1)),
        T0.minusSeconds(20),
        T0,
        start + 2,
        T0.minusSeconds(9),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        TaskCounts.none(start),
        Optional.empty());
  }

  public static AttemptFailure failure(long index) {
    return new AttemptFailure(
        index, "s0e1", FailureCause.USER, 3, "last words: \u2013 ☃", "w-1", T0);
  }

  public static Worker worker(String cluster, String name, WorkerState state, Instant createdAt) {
    return new Worker(
        cluster,
        name,
        "small",
        "europe-west4-a",
        "n2-standard-4",
        state,
        2,
        17,
        "ab".repeat(32),
        Optional.of(new Incarnation("123", "boot-1", T0)),
        Resources.cpu(4, 16L << 30),
        List.of(
            new Worker.Held(
                "j-1",
                0,
                4,
                Resources.cpu(1, 5),
                T0,
                List.of(1L, 2L),
                false,
                1,
                List.of(),
                List.of())),
        Optional.empty(),
        Optional.of("123"),
        3,
        createdAt,
        Optional.of(createdAt.plusSeconds(30)),
        Optional.empty(),
        Provisioning.SPOT,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public static EventRecord event(String cluster, String id, Instant at, String about) {
    return new EventRecord(cluster, id, at, about, "launched", "because");
  }

  /** What machines were used for on a day. */
  public static Usage usage(String cluster) {
    return new Usage(
        cluster,
        Usage.id(DAY, 0),
        List.of(
            usage(Purpose.TASKS, Optional.of("j-1"), Optional.of(0.25)),
            usage(Purpose.IDLE, Optional.empty(), Optional.empty())));
  }

  private static Usage.Row usage(Purpose purpose, Optional<String> job, Optional<Double> usd) {
    return new Usage.Row(DAY, "small", "z", "n2", Provisioning.SPOT, purpose, job, 90_000, usd);
  }

  /** A machine of which a job uses three quarters. */
  public static List<Part> parts() {
    return List.of(
        new Part(Purpose.TASKS, Optional.of("j-1"), 0.75),
        new Part(Purpose.IDLE, Optional.empty(), 0.25));
  }

  private static final GangTimeouts GANG_LIMITS =
      GangTimeouts.of(Duration.ofHours(1), Optional.empty(), Duration.ofSeconds(30));

  /** A gang of two, of which one member is prepared. */
  public static GangRun gang(String job) {
    var members =
        List.of(
            new GangMember(
                new HostId("w-1", 0),
                "10.0.0.1",
                Optional.of("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5"),
                Optional.of(23_456),
                Optional.empty(),
                GangMemberStage.PREPARED,
                0,
                Optional.empty(),
                Optional.of(T0),
                Optional.of(T0)),
            GangMember.of(new HostId("w-2", 0), ""));
    var lease = new LeaseRef(job, 0, 1);
    return GangRun.first(lease, GANG_LIMITS, members, GangPhaseTimeouts.DEFAULT, T0);
  }

  /** One that has run, and one that is paused. */
  public static List<Schedule> schedules(String cluster) {
    var spec = jobSpec("nightly", new TaskSource.Count(1));
    var rule = ScheduleRule.at("02:30", "Europe/Berlin").on(DayOfWeek.MONDAY, DayOfWeek.SUNDAY);
    var ran =
        new ScheduledRun(
            T0,
            ScheduledRun.Outcome.SUBMITTED,
            Optional.of("j-1"),
            "nightly-20260131-0130",
            Optional.empty());
    var skipped =
        new ScheduledRun(
            T0.plusSeconds(60),
            ScheduledRun.Outcome.SKIPPED,
            Optional.empty(),
            "nightly-20260131-0131",
            Optional.of("job nightly-20260131-0130 has not ended"));
    return List.of(
        new Schedule(cluster, spec, rule.queued(), T0)
            .ran(ran, 2)
            .ran(skipped, 0)
            .dueAt(T0.plusSeconds(120)),
        new Schedule(cluster, spec.named("hourly"), ScheduleRule.every(Duration.ofHours(1)), T0)
            .changed(Schedule.State.PAUSED, T0.plusSeconds(1)));
  }
}
