package dev.mayfly.wire;

import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Counts;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskOutcome;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value of every type that has JSON, by the name of its golden sample. */
final class Samples {
  static final Instant AT = Instant.parse("2026-01-31T10:00:00Z");
  private static final long GI = 1L << 30;
  private static final Resources NEED = Resources.cpu(0.5, 2 * GI);
  private static final Incarnation WHO = new Incarnation("4711", "b007", AT);
  private static final Failure FAILURE =
      new Failure(41, "s40e3", Cause.OUT_OF_MEMORY, 137, "Killed\nat \"last\"", "v4-7f3a", AT);

  private Samples() {}

  static Map<String, Record> all() {
    var all = new LinkedHashMap<String, Record>();
    all.put("cluster", cluster());
    all.put("cluster-name", new ClusterName("lab", "c1a2"));
    all.put("worker", worker(new WorkerState.Ready(AT, Optional.empty())));
    all.put("job", job(new JobState.Running(AT)));
    all.put(
        "job-name", new JobName("c1a2", "reddit", Optional.of("j9"), "abc", true, Optional.of(AT)));
    all.put("shard", shard());
    all.put("turns", new Turns("c1a2", AT, List.of(turn())));
    all.put("pulse", new Pulse("c1a2", AT, Map.of("v4-7f3a", AT.plusSeconds(1))));
    all.put("served", new Served("c1a2", List.of(new Served.Interval(AT, AT.plusSeconds(30)))));
    all.put("beats", new Beats("c1a2", "i-1", AT, Map.of("v4-7f3a", AT.plusSeconds(10))));
    all.put("event", new Event("c1a2", "e1", AT, "worker/v4-7f3a", "lost", "silent for 12 s"));
    all.put(
        "stockout",
        new Stockout(
            "us-central2-b", "n2-standard-4", "ZONE_RESOURCE_POOL_EXHAUSTED", List.of(AT)));
    all.put("rejection", new Rejection("m1", AT, "Job reddit", List.of("name: is missing"), "{}"));
    all.put("ticks", new Ticks(Ticks.Want.RUN, AT));
    all.put("sync-report", report());
    all.put("sync-orders", orders());
    all.put("hint", new Hint.Expand("c1a2", "j9"));
    all.put("task", new TaskItem(3, Optional.of("gs://lab/in/3.txt"), Map.of("seed", "7")));
    all.put(
        "sentinel",
        new Sentinel("j9", 3, "s0e1", "gs://lab/out/3", 17, 1024, "AAAAAA==", "v4-7f3a", AT));
    all.put(
        "outcome",
        new TaskOutcome(
            41,
            TaskOutcome.Result.FAILED,
            Optional.of("gs://lab/out/41"),
            Optional.empty(),
            Optional.of(FAILURE)));
    return all;
  }

  static Cluster cluster() {
    var pool =
        new PoolSpec(
            "cpu",
            "n2-standard-4",
            Resources.cpu(4, 16 * GI),
            List.of("us-central2-b"),
            Provisioning.ON_DEMAND,
            0,
            8,
            Duration.ofMinutes(10),
            Duration.ofHours(24));
    var spec =
        new ClusterSpec(
            "lab", "gs://lab", Map.of("B", "2", "A", "1"), List.of(pool), Optional.of("ann"));
    return new Cluster("c1a2", spec, Cluster.Phase.UP, 2, 5, AT, Optional.empty());
  }

  static Worker worker(WorkerState state) {
    var held = new Worker.Held("j9", 40, 3, NEED, AT, List.of(41L, 42L));
    return new Worker(
        "c1a2",
        "v4-7f3a",
        "cpu",
        "us-central2-b",
        "n2-standard-4",
        state,
        1,
        12,
        "ab12",
        Optional.of(WHO),
        Resources.cpu(4, 16 * GI),
        List.of(held),
        Optional.of(AT),
        Optional.of("4711"),
        2,
        AT,
        Optional.of(AT),
        Optional.of("disk 91 % full"));
  }

  static JobSpec spec() {
    return new JobSpec(
        "reddit",
        "lab",
        Optional.of("ann"),
        new TaskSource.Inputs("gs://lab/in/*.txt"),
        new JobSpec.Data(
            Optional.of("gs://lab/out/{stem}"), true, false, JobSpec.Sentinels.TASK, false),
        new JobSpec.Run(
            List.of("python", "c.py", "{input}"),
            Optional.of("gs://lab/code/ab.zip"),
            Map.of("K", "v"),
            Duration.ofMinutes(90),
            Duration.ofSeconds(30),
            Duration.ofMinutes(15)),
        NEED,
        new JobSpec.Retries(3, 100),
        50,
        List.of("cpu"),
        false);
  }

  static Job job(JobState state) {
    return new Job(
        "c1a2",
        "j9",
        spec(),
        "abc",
        state,
        2,
        Optional.of(List.of(TaskItem.counted(0), TaskItem.counted(1))),
        1,
        AT,
        AT.plusMillis(5),
        Optional.of(new Totals(1, 0, 0, 1, 2)),
        Map.of(Cause.PREEMPTED, 2L),
        Optional.of("gs://lab/mayfly/jobs/j9/outcome-0.jsonl"));
  }

  static Shard shard() {
    return new Shard(
        "c1a2",
        "j9",
        40,
        50,
        3,
        Shard.State.LEASED,
        Optional.of(new Shard.Owner("v4-7f3a", 1)),
        Bits.none(40).with(40).with(43),
        Bits.none(40).with(44),
        Counts.none(40).plusOne(41),
        Counts.none(40),
        Map.of(Cause.LOST, 1L, Cause.USER, 2L),
        List.of(FAILURE),
        AT,
        AT.plusSeconds(9),
        45,
        Instant.EPOCH);
  }

  private static Turns.Row turn() {
    return new Turns.Row(
        "j9", "reddit", "ann", 50, AT, NEED, List.of("cpu"), true, Optional.of(20L));
  }

  static SyncReport report() {
    var lease =
        new SyncReport.Lease(
            new LeaseRef("j9", 40, 3),
            50,
            Bits.none(40).with(42),
            List.of(FAILURE),
            List.of(43L, 44L),
            45,
            false);
    return new SyncReport(
        "c1a2",
        "v4-7f3a",
        0,
        WHO,
        "n0nce",
        12,
        Resources.cpu(4, 16 * GI),
        Resources.cpu(-1, 14 * GI),
        Map.of("j9", 8L),
        List.of(lease),
        List.of("abc"),
        List.of(new SyncReport.BootStep("image", Duration.ofMillis(1500), Optional.of("slow"))),
        Optional.of(AT),
        false,
        25,
        Optional.empty());
  }

  static SyncOrders orders() {
    var lease =
        new SyncOrders.Lease(new LeaseRef("j9", 40, 3), 50, Bits.none(0).with(42), "abc", false);
    var sheet =
        new JobSheet("j9", "abc", spec(), "gs://lab", Map.of("A", "1"), 100, Optional.empty());
    return new SyncOrders(
        12,
        AT,
        AT.plusSeconds(10),
        List.of(lease),
        List.of(sheet),
        Optional.of(AT),
        false,
        List.of("j9"));
  }
}
