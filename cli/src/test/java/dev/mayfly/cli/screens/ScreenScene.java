package dev.mayfly.cli.screens;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.output.CostFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.plan.share.OwnerShare;
import dev.mayfly.core.plan.share.Sharing;
import dev.mayfly.core.query.AcceleratorUse;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster of three pools with jobs of four people that run, wait, failed, were stopped and
 * succeeded, at noon in UTC.
 */
final class ScreenScene {
  private static final Instant NOW = ViewFixtures.NOW;
  private static final long GIB = 1L << 30;
  private static final String STOCKOUT =
      "zone us-central1-b has no n2-standard-8 for pool big: ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS (The zone"
          + " 'us-central1-b' does not have enough resources available to fulfill the request."
          + " (resource type:compute)) 5m39s ago; the next try is in 2m11s";
  private static final String MISSING =
      "ModuleNotFoundError: No module named 'flash_attn' (user error, exit code 1)";
  private static final String LONG_NAME = "reddit-toxicity-classification-2026-05";

  private ScreenScene() {}

  static void put(FakeControlPlane control) {
    control.clusters.put("lab", cluster());
    control.workers.addAll(workers());
    jobs().forEach(control::add);
    control.eventRecords.addAll(events());
    control.cost = CostFixtures.cost().inWords(true);
  }

  private static ClusterStatus cluster() {
    return new ClusterStatus(
        "lab",
        "c1",
        "up",
        3,
        NOW.minusSeconds(190_000),
        ViewFixtures.clusterSpec(),
        Map.of("ready", 3, "booting", 1),
        List.of(
            pool("cpu", "n2-standard-2", "spot", 2, 3, 3),
            pool("gpu-preemptible-large", "n1-standard-8", "spot", 1, 1, 1),
            pool("big", "n2-standard-8", "on-demand", 1, 2, 2)),
        new Resources(12_000, 20 * GIB, 1_000, 0),
        new Resources(14_000, 54 * GIB, 1_000, 0),
        List.of(new AcceleratorUse("nvidia-tesla-t4", 1, 1)),
        4,
        List.of(STOCKOUT),
        List.of(),
        List.of(),
        Optional.of(
            Sharing.of(
                Optional.of(Duration.ofHours(24)),
                List.of(used("ann", 3, 10, 1.5), used("bob", 1, 0, 0.125)))));
  }

  private static OwnerShare used(String owner, double weight, long running, double lately) {
    var machines = new OwnerShare.Machines(running * 0.25, lately);
    return new OwnerShare(owner, weight, running, Optional.of(machines));
  }

  private static ClusterStatus.PoolView pool(
      String name, String type, String provisioning, int live, int wanted, int max) {
    return new ClusterStatus.PoolView(
        name,
        type,
        provisioning,
        live,
        Optional.of(wanted),
        0,
        max,
        Optional.empty(),
        Optional.empty());
  }

  private static List<WorkerStatus> workers() {
    return List.of(
        worker("lab-cpu-hqo7kp", "cpu", "n2-standard-2", "ready", 4, lease(LONG_NAME, 2, 8)),
        worker("lab-cpu-i59qfm", "cpu", "n2-standard-2", "ready", -12, lease("sweep", 2, 2)),
        worker(
            "lab-gpu-preemptible-large-ceku86",
            "gpu-preemptible-large",
            "n1-standard-8",
            "ready",
            9,
            lease("finetune", 1, 1)),
        worker("lab-big-wl59fd", "big", "n2-standard-8", "booting", 0, List.of()));
  }

  private static List<WorkerStatus.LeaseView> lease(String job, int running, int held) {
    return List.of(
        new WorkerStatus.LeaseView("j-" + job, job, 0, held, 0, running, NOW.minusSeconds(90)));
  }

  private static WorkerStatus worker(
      String name,
      String pool,
      String type,
      String state,
      long dueIn,
      List<WorkerStatus.LeaseView> leases) {
    var ready = state.equals("ready");
    var gpu = new GpuUse(0, Optional.of(87), Optional.of(11 * GIB), Optional.of(16 * GIB));
    return new WorkerStatus(
        name,
        pool,
        "us-central1-a",
        type,
        state,
        NOW.minusSeconds(60),
        Optional.of("the machine is being created").filter(_ -> !ready),
        Optional.of(NOW.plusSeconds(dueIn)).filter(_ -> ready),
        Optional.empty(),
        new Resources(2_000, 8 * GIB, 0, 0),
        leases,
        NOW.minusSeconds(ready ? 4_000 : 50),
        Optional.of(NOW.minusSeconds(3_900)).filter(_ -> ready),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        pool.startsWith("gpu") ? List.of(gpu) : List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static List<JobStatus> jobs() {
    return List.of(
        job("finetune", "ann", "running", 1, totals(0, 0, 0, 1), 400, -1, ""),
        job("huge", "ann", "running", 4, totals(0, 0, 4, 0), 1_900, -1, "stockout: " + STOCKOUT),
        job(LONG_NAME, "bob@lab.org", "running", 40, totals(13, 1, 18, 8), 2_500, -1, ""),
        job("sweep", "ann", "running", 18, totals(15, 1, 0, 2), 2_600, -1, ""),
        job(
            "train",
            "cy",
            "failed",
            2,
            totals(0, 2, 0, 0),
            5_000,
            4_870,
            MISSING + "; 0 done, 2 failed for good"),
        job(
            "typo",
            "cy",
            "failed",
            1,
            totals(0, 1, 0, 0),
            5_400,
            5_395,
            "command not found: pyton3 (user error); 0 done, 1 failed for good"),
        job(
            "dev-ann",
            "ann",
            "stopped",
            1,
            totals(0, 0, 1, 0),
            9_000,
            7_200,
            "0 done, 1 not finished; stopped by ann (claimed)"),
        job("merge", "ann", "succeeded", 1, totals(1, 0, 0, 0), 90_000, 89_976, "1 done"),
        job("tokens", "dee", "succeeded", 300, totals(300, 0, 0, 0), 200_000, 180_000, "300 done"));
  }

  private static TaskTotals totals(long done, long failed, long ready, long leased) {
    return new TaskTotals(done, failed, ready, leased, 2);
  }

  /** Times are in seconds before now; an end below zero is none. */
  private static JobStatus job(
      String name,
      String owner,
      String state,
      long tasks,
      TaskTotals totals,
      long submitted,
      long ended,
      String reason) {
    var failures = name.equals("train") ? failures() : List.<AttemptFailure>of();
    return new JobStatus(
        name,
        "j-" + name,
        "lab",
        Optional.of(owner),
        state,
        Optional.of(reason).filter(r -> !r.isEmpty()),
        tasks,
        totals,
        failures.isEmpty() ? Map.of() : Map.of(FailureCause.USER, (long) failures.size()),
        failures,
        NOW.minusSeconds(submitted),
        NOW.minusSeconds(submitted),
        Optional.of(NOW.minusSeconds(ended)).filter(_ -> ended >= 0),
        Optional.of("gs://lab/mayfly/.jobs/j-" + name + "/outcome/00000.jsonl")
            .filter(_ -> ended >= 0),
        "gs://lab",
        spec(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(NOW.minusSeconds(name.equals("merge") ? ended + 1 : submitted)),
        Optional.of("v1"),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static JobSpec spec() {
    return ViewFixtures.jobSpec();
  }

  private static List<AttemptFailure> failures() {
    var failures = new ArrayList<AttemptFailure>();
    for (var i = 0; i < 2; i++)
      failures.add(
          new AttemptFailure(
              i,
              "s0e1",
              FailureCause.USER,
              1,
              "  File \"train.py\", line 3\nModuleNotFoundError: No module named 'flash_attn'\n",
              "lab-cpu-i59qfm",
              NOW.minusSeconds(4_880 + i)));
    return failures;
  }

  static JobExplanation train() {
    return new JobExplanation(
        "train",
        "failed 1h21m ago after 2m10s: " + MISSING + "; 0 done, 2 failed for good",
        List.of(
            new JobExplanation.Reason(
                "failing",
                "2 attempts ended: user error, exit code 1: ModuleNotFoundError: No module named"
                    + " 'flash_attn'")),
        List.of(),
        events().stream().filter(event -> event.about().endsWith("/train")).toList(),
        Optional.of(
            "mend the program or what it reads (mayfly logs j-train 0 has all that it wrote), and submit it again; mayfly retry j-train runs it as it was"));
  }

  static JobExplanation huge() {
    return new JobExplanation(
        "huge",
        "0 of 4 tasks done, 0 on machines, 4 waiting, 0 failed for good, accepted 31m ago",
        List.of(
            new JobExplanation.Reason("stockout", STOCKOUT),
            new JobExplanation.Reason("turn", "before it in the queue: bob@lab.org/" + LONG_NAME)),
        List.of("bob@lab.org/" + LONG_NAME),
        events().stream().filter(event -> event.about().endsWith("/huge")).toList(),
        Optional.of(
            "nothing, the zone is asked again by itself; another zone or machine type in the pool, or onDemand, may find a machine sooner"));
  }

  private static List<EventRecord> events() {
    return List.of(
        event(50, "worker/lab-big-wl59fd", "ordered", "2 tasks of job huge have no room"),
        event(339, "worker/lab-big-xyys5b", "refused", STOCKOUT.substring(0, 180)),
        event(400, "job/ann/finetune", "accepted", "1 task"),
        event(1_900, "job/ann/huge", "accepted", "4 tasks"),
        event(
            2_100,
            "worker/lab-gpu-preemptible-large-ceku86",
            "ready",
            "its agent reported for the first time"),
        event(4_870, "job/cy/train", "failed", MISSING + "; 0 done, 2 failed for good"),
        event(5_000, "job/cy/train", "accepted", "2 tasks"),
        event(89_976, "job/ann/merge", "succeeded", "1 done"));
  }

  private static EventRecord event(long ago, String about, String what, String why) {
    return new EventRecord("c1", "e" + ago, NOW.minusSeconds(ago), about, what, why);
  }
}
