package dev.mayfly.porttests;

import static dev.mayfly.porttests.DocumentFixtures.T0;
import static dev.mayfly.porttests.DocumentFixtures.at;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TaskAddition;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.CountedProgress;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.notification.NotifiedJob;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.model.schedule.ScheduleDue;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MeasuredGpus;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One document of every kind and state, full and empty, for round-trip tests of adapters. */
public final class RoundTripDocuments {
  private static final String C = "c-round";
  private static final Optional<MachineProblem> NO_DISK =
      Optional.of(MachineProblem.Kind.UNFIT.of("no disk"));
  private static final Cordon CORDON = DocumentFixtures.cordon();

  private RoundTripDocuments() {}

  public static List<LedgerDocument> all() {
    var all = new ArrayList<LedgerDocument>(clusters());
    all.addAll(workers());
    all.addAll(jobs());
    all.addAll(DocumentFixtures.schedules(C));
    all.addAll(shards());
    all.addAll(control());
    return all;
  }

  private static List<LedgerDocument> clusters() {
    var up = DocumentFixtures.cluster("c-up", Cluster.Phase.UP);
    var budget = new Budget(Optional.of(12.5), Map.of("n2-standard-4", 0.05), Optional.of(9_000.0));
    var month = new Budget(Optional.empty(), Map.of(), Optional.of(0.5));
    return List.of(
        up.withLaunched(List.of("lab-cpu-a1b2c3", "lab-cpu-d4e5f6"), List.of())
            .withSpec(up.spec().withBudget(budget), 3, up.versions())
            .applied("5f2a")
            .renamed("lab-1")
            .withCordon("cpu", CORDON)
            .withSchedule("ann.b/nightly", Optional.of(new ScheduleDue(Optional.of(at(60)))))
            .withSchedule("hourly", Optional.of(new ScheduleDue(Optional.empty())))
            .withLastCommandAt(at(4)),
        new Cluster(
            "c-going",
            up.spec().withBudget(month),
            Cluster.Phase.GOING,
            1,
            0,
            T0,
            Optional.empty()),
        new Cluster("c-gone", up.spec(), Cluster.Phase.GONE, 1, 0, T0, Optional.of(at(9))),
        new ClusterName("lab", "c-up"),
        new ClusterName("lab-gone", "c-gone").withDown(at(10)),
        ClusterName.unused("lab-never").withDown(at(11)));
  }

  private static List<LedgerDocument> workers() {
    var states =
        List.of(
            new WorkerState.Launching(T0, at(600)),
            new WorkerState.Booting(T0, at(600), "operation-1"),
            new WorkerState.Ready(T0, Optional.empty()),
            new WorkerState.Ready(T0, Optional.of(at(5))),
            new WorkerState.Draining(T0, new DrainReason(DrainCause.UNNEEDED, "idle"), at(60)),
            new WorkerState.Drained(T0, "idle"),
            new WorkerState.Lost(T0, FailureCause.PREEMPTED, "the cloud said so"),
            new WorkerState.Gone(T0, "404", Optional.of(Ending.GIVEN_BACK)));
    var all = new ArrayList<LedgerDocument>();
    for (var i = 0; i < states.size(); i++)
      all.add(DocumentFixtures.worker(C, "w-" + i, states.get(i), at(i)));
    all.add(
        DocumentFixtures.worker(C, "w-noticed", states.get(2), T0)
            .withNotice(at(1))
            .withProblem(NO_DISK)
            .withLabels(Map.of("disk", "ssd"))
            .withLastCommandAt(at(3)));
    all.add(
        DocumentFixtures.worker(C, "w-gpus", states.get(2), T0)
            .withLeases(List.of(), List.of(250, 0), List.of(4L << 30, 0L), T0)
            .withGpuUses(Optional.of(new MeasuredGpus(at(2), gpus()))));
    all.add(
        DocumentFixtures.worker(C, "w-used", states.get(2), T0)
            .withUsage(
                MachineUsage.ordered(Optional.of(0.19), T0)
                    .running()
                    .counted(DocumentFixtures.parts(), at(60))));
    all.add(fresh());
    all.add(
        new WorkerHost(C, "w-2", 3, new Incarnation("124", "boot-2", T0), 9, T0, false, NO_DISK));
    return all;
  }

  private static List<GpuUse> gpus() {
    return List.of(
        new GpuUse(0, Optional.of(37), Optional.of(4L << 30), Optional.of(16L << 30)),
        new GpuUse(1, Optional.empty(), Optional.empty(), Optional.of(16L << 30)));
  }

  private static Worker fresh() {
    return new Worker(
        C,
        "w-fresh",
        "small",
        "z",
        "n2",
        new WorkerState.Launching(T0, T0),
        0,
        0,
        "00",
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        1,
        T0,
        Optional.empty(),
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
        Optional.of(CORDON),
        Optional.empty());
  }

  private static List<LedgerDocument> jobs() {
    var expanding =
        DocumentFixtures.job(C, "j-expanding", new JobState.Expanding("in/7.txt", 7, -1), T0);
    var items =
        List.of(new TaskItem(0, Optional.of("gs://b/in 0"), Map.of("k", "v")), TaskItem.counted(1));
    var small =
        new Job(
            C,
            "j-items",
            DocumentFixtures.jobSpec("items", new TaskSource.Items(List.of(Map.of("item", "a")))),
            "h",
            new JobState.Running(T0),
            new JobTasks(2, Optional.of(items), 1),
            T0,
            T0,
            Optional.of(new PinnedImage("lab/x:1", "sha256:" + "0a".repeat(32))),
            Optional.of(T0.plusSeconds(120)));
    var glob =
        DocumentFixtures.job(C, "j-glob", new JobState.Finishing(T0, true), T0)
            .withSpec(DocumentFixtures.jobSpec("glob", new TaskSource.Inputs("gs://b/in/*.txt")))
            .withTasks(new JobTasks(2, Optional.empty(), 1));
    var ended =
        new JobState.Ended(
            T0,
            JobState.Result.FAILED,
            "2 of 100 tasks failed",
            new TaskTotals(98, 2, 0, 0, 10),
            Map.of(FailureCause.USER, 6L),
            Optional.of("gs://b/o"));
    var early =
        new JobState.Ended(
            T0,
            JobState.Result.STOPPED,
            "stopped before it arrived",
            TaskTotals.NONE,
            Map.of(),
            Optional.empty());
    var closing = new OpenTasks.Closing(at(9), Optional.of(3L), "closed by ada");
    var open =
        new TaskSource.Open(
            List.of(Map.of("k", "v")), List.of("k"), Duration.ofHours(2), Duration.ofMinutes(5));
    var openTasks = OpenTasks.until(at(60)).added().idle(at(5));
    var added =
        DocumentFixtures.job(C, "j-open", new JobState.Running(T0), T0)
            .withSpec(DocumentFixtures.jobSpec("open", open));
    var waits = Optional.of("coming: a machine boots");
    return List.of(
        expanding,
        added.withTasks(JobTasks.open(7, openTasks.close(closing))),
        small.withProgress(new CountedProgress(at(8), new TaskTotals(1, 0, 1, 0, 2), 0, waits)),
        glob.withKept(List.of(new Job.KeptMachine("w-1", 3, at(30)))),
        new Job(
            C,
            "j-file",
            DocumentFixtures.jobSpec(
                "file", new TaskSource.ItemsFile("gs://b/ab.jsonl", List.of("lr", "model"))),
            "h",
            new JobState.Finishing(T0, true),
            new JobTasks(2, Optional.empty(), 1),
            T0,
            T0,
            Optional.empty(),
            Optional.empty()),
        DocumentFixtures.job(C, "j-ended", ended, T0),
        DocumentFixtures.job(C, "j-early", early, T0)
            .withEndedUsd(24.75)
            .withMaxUsd(50)
            .withRunTime(AdmissionRules.RunTime.NONE.begun(T0).lasting(Duration.ofHours(24))),
        DocumentFixtures.job(C, "j-stopping", new JobState.Stopping(T0, "ada"), T0),
        JobName.unused(DocumentKey.OfJobName.of(C, "ann.b@lab.org/job-a"))
            .of("j-ended", "h", true)
            .withStop(at(1))
            .withRetry(at(2), true)
            .withRepeat("j-again"),
        JobName.unused(DocumentKey.OfJobName.of(C, "job-b")),
        JobName.unused(DocumentKey.OfJobName.of(C, "job-c")).withStop(at(3)));
  }

  private static List<LedgerDocument> shards() {
    return List.of(
        DocumentFixtures.shard(C, "j-1", 0, 50, Shard.State.LEASED, 3, 2),
        DocumentFixtures.shard(C, "j-1", 50, 1_000_000, Shard.State.READY, 0, 0),
        DocumentFixtures.shard(C, "j-1", 1_000_000, 1_000_010, Shard.State.ENDED, 9, 1),
        ShardTransitions.grantGang(
            Shard.of(new DocumentKey.OfShard(C, "j-3", 0), 1, TaskSet.none(0)),
            new Shard.Owner("w-1", 2),
            DocumentFixtures.gang("j-3"),
            T0),
        ShardTransitions.stopTasks(
            DocumentFixtures.shard(C, "j-4", 40, 50, Shard.State.LEASED, 3, 2),
            TaskSet.where(44, 46, _ -> true),
            T0),
        Shard.of(
            new DocumentKey.OfShard(C, "j-open", 3),
            new TaskItem(3, Optional.of("gs://b/in 3"), Map.of("k", "v")),
            TaskSet.none(3)),
        Shard.of(new DocumentKey.OfShard(C, "j-2", 0), 5, TaskSet.none(0)));
  }

  private static JobQueue.Row row(
      String job, String owner, Resources need, Placement place, Optional<Long> grants) {
    return new JobQueue.Row(
        job,
        "name of " + job,
        owner,
        50,
        T0,
        need,
        place,
        grants.isPresent(),
        grants.isPresent() ? 3 : 0,
        grants,
        0,
        Optional.empty(),
        1,
        List.of(),
        Optional.empty());
  }

  private static List<LedgerDocument> control() {
    var row =
        row(
            "j-1",
            "ada",
            Resources.cpu(1, 1),
            Placement.inPools(List.of("small")),
            Optional.of(7L));
    var open = row("j-2", "", Resources.ZERO, Placement.ANYWHERE, Optional.empty());
    return List.of(
        new JobQueue(
            C,
            T0,
            List.of(row, open),
            Optional.of(at(3)),
            List.of("j-3", "j-4"),
            Optional.of(List.of(new JobQueue.OwnerUse("ada", 0.125, 2.5, at(3))))),
        new ChangeSignal(C, T0, Map.of("w-1", T0, "w.2", at(2))),
        new ServingHistory(
            C,
            List.of(
                new ServingHistory.Interval(T0, at(5)),
                new ServingHistory.Interval(at(60), at(61)))),
        new Heartbeats(C, "f-1", T0, Map.of("w-1", at(10), "w.2", at(11))),
        new Heartbeats(C, "f-2", T0, Map.of()),
        DocumentFixtures.usage(C),
        new Usage.Month(C, "2026-11", 812.25),
        DocumentFixtures.event(C, "e-1", T0, "worker/w-1"),
        DocumentFixtures.event(C, "e-2", T0, "worker/w-1")
            .with(new PendingNotification(NotificationKind.RESERVATION_LOST)),
        DocumentFixtures.event(C, "e-3", T0, "job/j")
            .with(
                PendingNotification.jobEnded(
                    new NotifiedJob(
                        "j",
                        "j-1",
                        Optional.of("ann"),
                        new TaskTotals(4, 1, 0, 0, 2),
                        Optional.of("gs://lab/outcome")))),
        new TaskAddition(C, "j-1", "trial-16", 39, 2, T0, Optional.empty()),
        new TaskAddition(C, "j-1", "trial-17", 41, 2, T0, Optional.of("77ae")),
        new Stockout(
            "europe-west4-a",
            "n2-standard-4",
            "ZONE_RESOURCE_POOL_EXHAUSTED",
            List.of(T0, at(1)),
            Optional.of("The zone does not have enough resources.")),
        new RejectedMessage(
            "m-1", T0, "Job x", List.of("tasks: missing", "name: '../'"), "apiVersion: \"x\"\n"),
        new TickSchedule(TickSchedule.Want.PAUSE, T0),
        new TpuCreateQuota(List.of(new TpuCreateQuota.Asked(T0, 3))));
  }
}
