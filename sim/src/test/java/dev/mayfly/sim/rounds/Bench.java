package dev.mayfly.sim.rounds;

import dev.mayfly.core.control.Cleanup;
import dev.mayfly.core.control.ClusterChanges;
import dev.mayfly.core.control.Looked;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rounds;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.control.Views;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.porttests.Samples;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.SimCodec;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIds;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimObjects;
import dev.mayfly.sim.fake.SimSchedule;
import dev.mayfly.sim.fake.SimTime;
import dev.mayfly.sim.fake.Trace;
import dev.mayfly.sim.fake.Weather;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One cluster on a calm cloud whose every answer a test may replace. Hints are kept and not
 * delivered.
 */
final class Bench {
  static final String ZONE = "us-a";

  final SimTime time = new SimTime(Samples.T0);
  final SimLedger ledger = new SimLedger(time, () -> Duration.ZERO);
  final SimFleet machines =
      new SimFleet(time, new Dice(3), Weather.calm(new Trace(time)), new SilentPower());
  final Dials fleet = new Dials(machines);
  final List<Hint> hints = new ArrayList<>();
  final SimSchedule schedule = new SimSchedule();
  final Ports ports =
      new Ports(
          ledger,
          hints::add,
          fleet,
          new SimObjects(time),
          new SimCodec(),
          time,
          schedule,
          new SimIds(new Dice(5)),
          time);
  final Rounds rounds = rounds();
  final Cleanup cleanup = new Cleanup(ports, Rules.DEFAULT);
  final ClusterChanges changes = new ClusterChanges(ports, Rules.DEFAULT);
  final String uid;

  Bench() {
    this(pool(0, 10, ZONE));
  }

  Bench(PoolSpec... pools) {
    apply(spec(pools), time.instant());
    uid = ledger.query(new Query.Clusters(false)).complete().getFirst().value().uid();
  }

  void apply(ClusterSpec spec, Instant at) {
    changes.apply(new Command.ApplyCluster(spec), at);
  }

  /** The same ports with other alarms. */
  Ports with(Alarms alarms) {
    return ports(ledger, alarms);
  }

  /** The same ports with another view of the ledger. */
  Ports on(Ledger other) {
    return ports(other, ports.alarms());
  }

  private Ports ports(Ledger other, Alarms alarms) {
    return new Ports(
        other,
        ports.bus(),
        fleet,
        ports.objects(),
        ports.codec(),
        alarms,
        schedule,
        ports.ids(),
        time);
  }

  /** Another process of the same control plane. */
  Rounds rounds() {
    return new Rounds(ports, Rules.DEFAULT, "http://workers");
  }

  Views views() {
    return new Views(ledger, time, ports.codec(), Rules.DEFAULT);
  }

  static ClusterSpec spec(PoolSpec... pools) {
    return new ClusterSpec("lab", "gs://lab", Map.of(), List.of(pools), Optional.empty());
  }

  static PoolSpec pool(int min, int max, String... zones) {
    return new PoolSpec(
        "cpu",
        "n2-standard-2",
        Resources.cpu(2, 8L << 30),
        List.of(zones),
        Provisioning.SPOT,
        min,
        max,
        Duration.ofMinutes(10),
        Duration.ofHours(24));
  }

  /** A running job with so many tasks of one CPU, in one shard. */
  Job job(String name, long tasks) {
    var like = Samples.jobSpec(name, new TaskSource.Count(tasks));
    var spec =
        new JobSpec(
            name,
            "lab",
            Optional.empty(),
            like.tasks(),
            like.data(),
            like.run(),
            Resources.cpu(1, 1L << 30),
            like.retries(),
            50,
            List.of(),
            false);
    var job =
        new Job(
            uid,
            "uid-" + name,
            spec,
            "h",
            new JobState.Running(time.instant()),
            tasks,
            Optional.empty(),
            tasks,
            time.instant(),
            time.instant(),
            Optional.empty(),
            Map.of(),
            Optional.empty());
    var shard = Shard.of(new Key.OfShard(uid, job.uid(), 0), tasks, Bits.none(0));
    ledger.commit(List.of(new Write.Create(job), new Write.Create(shard)));
    return job;
  }

  /** A minute later. */
  List<String> tick() {
    time.pass(Duration.ofMinutes(1));
    return rounds.tick().troubles();
  }

  Looked look() {
    return rounds.look(new Hint.Look(uid));
  }

  Cluster cluster() {
    return ledger.read(new Key.OfCluster(uid)).orElseThrow().value();
  }

  /** Those that are not gone. */
  List<Worker> workers() {
    return ledger.query(new Query.Workers(uid, false, 1_000)).complete().stream()
        .map(Stored::value)
        .toList();
  }

  Worker worker(String name) {
    return ledger.read(new Key.OfWorker(uid, name)).orElseThrow().value();
  }

  Worker only() {
    var all = workers();
    if (all.size() != 1) throw new AssertionError("not one worker: " + all);
    return all.getFirst();
  }

  /** As if the worker's agent, or a person in the console, had changed its document. */
  void change(String name, Function<Worker, Worker> how) {
    var stored = ledger.read(new Key.OfWorker(uid, name)).orElseThrow();
    ledger.commit(List.of(new Write.Update(how.apply(stored.value()), stored.version())));
  }

  void speak(String name) {
    var ready = new WorkerState.Ready(time.instant(), Optional.of(time.instant()));
    change(name, w -> withTotal(w).with(ready));
  }

  private Worker withTotal(Worker w) {
    var who = new Incarnation("7", "b", time.instant());
    return w.heard(who, 1, Resources.cpu(2, 8L << 30), time.instant());
  }

  List<String> events(String what) {
    return ledger.query(new Query.Events(uid, Optional.empty(), 1_000)).complete().stream()
        .map(Stored::value)
        .filter(e -> e.what().equals(what))
        .map(Event::why)
        .toList();
  }

  /** The cloud, with answers that a test replaces. */
  static final class Dials implements Fleet {
    private final SimFleet cloud;
    Optional<Function<Order, Ordered>> orders = Optional.empty();
    Optional<Progress> progress = Optional.empty();
    boolean partial;
    int looks;
    String sick = "";
    final List<Leftover> leftovers = new ArrayList<>();
    boolean leftoversSick;

    Dials(SimFleet cloud) {
      this.cloud = cloud;
    }

    @Override
    public Ordered order(Order order) {
      return orders.map(o -> o.apply(order)).orElseGet(() -> cloud.order(order));
    }

    @Override
    public Optional<Progress> progress(Machine.Name name, String operation) {
      looks++;
      return progress.isPresent() ? progress : cloud.progress(name, operation);
    }

    @Override
    public Optional<Machine> find(Machine.Name name) {
      looks++;
      if (name.name().equals(sick)) throw new Unavailable("503 for " + sick);
      return cloud.find(name);
    }

    @Override
    public boolean delete(Machine.Name name) {
      return cloud.delete(name);
    }

    @Override
    public Inventory list() {
      var all = cloud.list();
      return partial ? new Inventory(List.of(), false, List.of("us-a did not answer")) : all;
    }

    @Override
    public List<Leftover> leftovers() {
      if (leftoversSick) throw new Unavailable("503");
      return List.copyOf(leftovers);
    }

    @Override
    public boolean delete(Leftover leftover) {
      return leftovers.remove(leftover);
    }
  }
}
