package dev.mayfly.porttests;

import static dev.mayfly.porttests.Samples.T0;
import static dev.mayfly.porttests.Samples.at;

import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Beats;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.Creations;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.ExactImage;
import dev.mayfly.core.model.GangLimits;
import dev.mayfly.core.model.GangMember;
import dev.mayfly.core.model.GangRun;
import dev.mayfly.core.model.GangTimes;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HourlyBudget;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Rejection;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.TaskItem;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Ticks;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerHost;
import dev.mayfly.core.model.WorkerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One document of every kind and every state, full and empty: what an adapter must give back as it
 * got it.
 */
public final class SampleDocuments {
  private static final String C = "c-round";

  private SampleDocuments() {}

  public static List<Document> all() {
    var all = new ArrayList<Document>();
    all.addAll(clusters());
    all.addAll(workers());
    all.addAll(jobs());
    all.addAll(shards());
    all.addAll(control());
    return all;
  }

  private static List<Document> clusters() {
    var up = Samples.cluster("c-up", Cluster.Phase.UP);
    var budget = new HourlyBudget(12.5, Map.of("n2-standard-4", 0.05));
    return List.of(
        up.launching(List.of("lab-cpu-a1b2c3", "lab-cpu-d4e5f6"), List.of())
            .changed(up.spec().within(budget), 3, up.versions())
            .applied("5f2a")
            .renamed("lab-1")
            .commanded(at(4)),
        new Cluster("c-going", up.spec(), Cluster.Phase.GOING, 1, 0, T0, Optional.empty()),
        new Cluster("c-gone", up.spec(), Cluster.Phase.GONE, 1, 0, T0, Optional.of(at(9))),
        new ClusterName("lab", "c-up"));
  }

  private static List<Document> workers() {
    var states =
        List.of(
            new WorkerState.Launching(T0, at(600)),
            new WorkerState.Booting(T0, at(600), "operation-1"),
            new WorkerState.Ready(T0, Optional.empty()),
            new WorkerState.Ready(T0, Optional.of(at(5))),
            new WorkerState.Draining(T0, "idle", at(60)),
            new WorkerState.Drained(T0, "idle"),
            new WorkerState.Lost(T0, Cause.PREEMPTED, "the cloud said so"),
            new WorkerState.Gone(T0, "404"));
    var all = new ArrayList<Document>();
    for (var i = 0; i < states.size(); i++)
      all.add(Samples.worker(C, "w-" + i, states.get(i), at(i)));
    all.add(
        Samples.worker(C, "w-noticed", states.get(2), T0)
            .noticed(at(1))
            .troubled(Optional.of("disk"))
            .commanded(at(3)));
    all.add(fresh());
    all.add(new WorkerHost(C, "w-2", 3, agent(), 9, T0, false, Optional.of("no disk")));
    return all;
  }

  private static Incarnation agent() {
    return new Incarnation("124", "boot-2", T0);
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
        Provisioning.SPOT);
  }

  private static List<Document> jobs() {
    var expanding = Samples.job(C, "j-expanding", new JobState.Expanding("in/7.txt", 7, -1), T0);
    var items =
        List.of(new TaskItem(0, Optional.of("gs://b/in 0"), Map.of("k", "v")), TaskItem.counted(1));
    var small =
        new Job(
            C,
            "j-items",
            Samples.jobSpec("items", new TaskSource.Items(List.of(Map.of("item", "a")))),
            "h",
            new JobState.Running(T0),
            2,
            Optional.of(items),
            1,
            T0,
            T0,
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.of(new ExactImage("lab/x:1", "sha256:" + "0a".repeat(32))),
            Optional.of(T0.plusSeconds(120)));
    var glob =
        new Job(
            C,
            "j-glob",
            Samples.jobSpec("glob", new TaskSource.Inputs("gs://b/in/*.txt")),
            "h",
            new JobState.Finishing(T0, true),
            2,
            Optional.empty(),
            1,
            T0,
            T0,
            Optional.empty(),
            Map.of(),
            Optional.empty());
    var end = new JobState.Ended(T0, JobState.Result.FAILED, "2 of 100 tasks failed");
    var ended =
        Samples.job(C, "j-ended", end, T0)
            .ended(
                end, new Totals(98, 2, 0, 0, 10), Map.of(Cause.USER, 6L), Optional.of("gs://b/o"));
    return List.of(
        expanding,
        small,
        glob,
        ended,
        Samples.job(C, "j-stopping", new JobState.Stopping(T0, "ada"), T0),
        new JobName(C, "job-a", Optional.of("j-ended"), "h", true, Optional.of(at(1)))
            .retried(at(2), true)
            .repeated("j-again"),
        new JobName(C, "job-b", Optional.empty(), "", false, Optional.empty()));
  }

  private static List<Document> shards() {
    return List.of(
        Samples.shard(C, "j-1", 0, 50, Shard.State.LEASED, 3, 2),
        Samples.shard(C, "j-1", 50, 1_000_000, Shard.State.READY, 0, 0),
        Samples.shard(C, "j-1", 1_000_000, 1_000_010, Shard.State.ENDED, 9, 1),
        Shards.gather(
            Shard.of(new Key.OfShard(C, "j-3", 0), 1, Bits.none(0)),
            new Shard.Owner("w-1", 2),
            gang(),
            T0),
        Shard.of(new Key.OfShard(C, "j-2", 0), 5, Bits.none(0)));
  }

  private static final GangLimits LIMITS =
      GangLimits.of(Duration.ofHours(1), Optional.empty(), Duration.ofSeconds(30));

  private static GangRun gang() {
    var members =
        List.of(
            GangMember.of(new HostId("w-1", 0), "10.0.0.1"),
            GangMember.of(new HostId("w-2", 0), ""));
    var lease = new LeaseRef("j-3", 0, 1);
    return GangRun.first(lease, LIMITS, members, GangTimes.DEFAULT, T0);
  }

  private static List<Document> control() {
    var row =
        new Turns.Row(
            "j-1",
            "job",
            "ada",
            50,
            T0,
            Resources.cpu(1, 1),
            Place.inPools(List.of("small")),
            true,
            3,
            Optional.of(7L),
            0,
            Optional.empty(),
            1);
    var open =
        new Turns.Row(
            "j-2",
            "other",
            "",
            0,
            T0,
            Resources.ZERO,
            Place.ANYWHERE,
            false,
            0,
            Optional.empty(),
            0,
            Optional.empty(),
            1);
    return List.of(
        new Turns(C, T0, List.of(row, open), Optional.of(at(3))),
        new Pulse(C, T0, Map.of("w-1", T0, "w.2", at(2))),
        new Served(C, List.of(new Served.Interval(T0, at(5)), new Served.Interval(at(60), at(61)))),
        new Beats(C, "f-1", T0, Map.of("w-1", at(10), "w.2", at(11))),
        new Beats(C, "f-2", T0, Map.of()),
        Samples.event(C, "e-1", T0, "worker/w-1"),
        new Stockout(
            "europe-west4-a", "n2-standard-4", "ZONE_RESOURCE_POOL_EXHAUSTED", List.of(T0, at(1))),
        new Rejection(
            "m-1", T0, "Job x", List.of("tasks: missing", "name: '../'"), "apiVersion: \"x\"\n"),
        new Ticks(Ticks.Want.PAUSE, T0),
        new Creations(List.of(new Creations.Asked(T0, 3))));
  }
}
