package dev.mayfly.sim.usecase;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Topic;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Url;
import dev.mayfly.core.port.Write;
import dev.mayfly.porttests.Samples;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.SimCodec;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIds;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fake.SimObjects;
import dev.mayfly.sim.fake.SimSchedule;
import dev.mayfly.sim.fake.SimTime;
import dev.mayfly.sim.fake.Trace;
import dev.mayfly.sim.fake.Weather;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** One cluster named lab, one control plane, and hints that wait until a test delivers them. */
final class Lab {
  final SimSchedule schedule = new SimSchedule();
  final SimTime time = new SimTime(Samples.T0);
  final SimLedger store = new SimLedger(time, () -> Duration.ofMillis(5));
  final Tripwire ledger = new Tripwire(store);
  final SimObjects objects = new SimObjects(time);
  final SimCodec codec = new SimCodec();
  final List<Hint> hints = new ArrayList<>();
  final Control control = control("a");
  final String uid;
  private int number;

  Lab() {
    this(8);
  }

  /**
   * @param max workers, which decides how large shards are
   */
  Lab(int max) {
    publish(new Command.ApplyCluster(cluster(max)));
    uid = store.query(new Query.Clusters(false)).complete().getFirst().value().uid();
  }

  /** Another instance of the same control plane. */
  Control control(String instance) {
    return control(instance, ledger, codec);
  }

  Control control(String instance, Ledger ledger, Codec codec) {
    var weather = Weather.calm(new Trace(time));
    var fleet = new SimFleet(time, new Dice(3), weather, new NoPower());
    var ids = new SimIds(new Dice(instance.hashCode()));
    var ports = new Ports(ledger, hints::add, fleet, objects, codec, time, schedule, ids, time);
    return new Control(ports, Rules.DEFAULT, instance, "http://workers");
  }

  private static ClusterSpec cluster(int max) {
    var pool =
        new PoolSpec(
            "cpu",
            "n2-standard-2",
            Resources.cpu(2, 8L << 30),
            List.of("us-a"),
            Provisioning.SPOT,
            0,
            max,
            Duration.ofMinutes(10),
            Duration.ofHours(24));
    return new ClusterSpec("lab", "gs://lab", Map.of(), List.of(pool), Optional.empty());
  }

  static JobSpec spec(String name, TaskSource tasks, String output) {
    return spec(name, tasks, Optional.of(output), false);
  }

  static JobSpec spec(String name, TaskSource tasks, Optional<String> output, boolean exclusive) {
    return new JobSpec(
        name,
        "lab",
        Optional.empty(),
        tasks,
        new JobSpec.Data(output, false, false, false),
        new JobSpec.Run(
            List.of("work", "{index}"),
            Optional.empty(),
            Map.of(),
            Duration.ofMinutes(30),
            Duration.ofSeconds(10),
            Duration.ofMinutes(15)),
        Resources.cpu(1, 1L << 30),
        new JobSpec.Retries(3, 100),
        50,
        List.of(),
        exclusive);
  }

  static JobSpec count(String name, long tasks) {
    return spec(name, new TaskSource.Count(tasks), "gs://lab/out/" + name + "/{index}");
  }

  /** Published a moment after the one before. */
  Message message(Command... commands) {
    return message(Topic.of(commands[0]), commands);
  }

  Message message(Topic topic, Command... commands) {
    time.pass(Duration.ofMillis(1));
    return new Message("m" + ++number, time.instant(), topic, codec.message(List.of(commands)));
  }

  /** Publishes and delivers; the message, to deliver it again. */
  Message publish(Command... commands) {
    var message = message(commands);
    control.intake().receive(message);
    return message;
  }

  /** Publishes, and delivers when whatever was published before would have arrived. */
  Message publishLate(Command... commands) {
    var message = message(commands);
    time.pass(Duration.ofSeconds(11));
    control.intake().receive(message);
    return message;
  }

  Message submit(JobSpec spec) {
    return publish(new Command.SubmitJob(spec, Optional.empty()));
  }

  Message stop(String job) {
    time.pass(Duration.ofMillis(1));
    return publish(new Command.StopJob("lab", job));
  }

  /** Delivers the hints about jobs until there are none; looks and ticks are dropped. */
  void deliver() {
    while (!hints.isEmpty())
      switch (hints.removeFirst()) {
        case Hint.Expand e -> control.look(e);
        case Hint.Audit a -> control.look(a);
        case Hint.Look _, Hint.Tick _, Hint.Sweep _ -> {}
      }
  }

  /** The newest of that name. */
  Job job(String name) {
    var uidOf = store.read(new Key.OfJobName(uid, name)).orElseThrow().value().job().orElseThrow();
    return store.read(new Key.OfJob(uid, uidOf)).orElseThrow().value();
  }

  List<Job> jobs() {
    return store.query(new Query.Jobs(uid, 1_000)).complete().stream().map(Stored::value).toList();
  }

  String end(String name) {
    return job(name).state() instanceof JobState.Ended e
        ? e.result() + ": " + e.reason()
        : job(name).state().toString();
  }

  List<Shard> shards(String name) {
    return store.query(new Query.Shards(uid, job(name).uid(), 0, 100_000)).complete().stream()
        .map(Stored::value)
        .toList();
  }

  /** Tasks that are neither done nor failed. */
  long open(String name) {
    return shards(name).stream().mapToLong(Shard::open).sum();
  }

  /** Why the message was refused. */
  List<String> refused(Message message) {
    return store
        .read(new Key.OfRejection(message.id()))
        .map(r -> r.value().errors())
        .orElse(List.of());
  }

  void put(String url, String text, Map<String, String> metadata) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    objects.overwrite(Url.of(url), Objects.Content.of(bytes), metadata);
  }

  void put(String url) {
    put(url, "", Map.of());
  }

  void delete(String url) {
    var info = objects.find(Url.of(url)).orElseThrow();
    objects.delete(info.url(), info.generation());
  }

  /** A machine that was ordered and boots, and its agent. */
  Caller machine(String name) {
    return machine(name, "cpu", "us-a");
  }

  Caller machine(String name, String pool, String zone) {
    return machine(name, pool, zone, "n2-standard-2");
  }

  /** A machine of that type, and the agent of its first host. */
  Caller machine(String name, String pool, String zone, String type) {
    var booting = new WorkerState.Booting(time.instant(), time.instant().plusSeconds(600), "op");
    var worker =
        new Worker(
            uid,
            name,
            pool,
            zone,
            type,
            booting,
            0,
            0,
            Sha256.of("nonce-" + name),
            Optional.empty(),
            Resources.ZERO,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            1,
            time.instant(),
            Optional.empty(),
            Optional.empty(),
            Provisioning.SPOT);
    store.commit(List.of(new Write.Create(worker)));
    return new Caller(this, name, time.instant());
  }

  Worker worker(String name) {
    return store.read(new Key.OfWorker(uid, name)).orElseThrow().value();
  }

  /** As if a round, or a person in the console, had changed the worker, and told. */
  void change(String name, boolean told, Function<Worker, Worker> how) {
    var stored = store.read(new Key.OfWorker(uid, name)).orElseThrow();
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(how.apply(stored.value()), stored.version()));
    if (told) writes.add(new Write.Notify(uid, time.instant(), false, List.of(name)));
    store.commit(writes);
  }

  Instant now() {
    return time.instant();
  }

  void pass(long millis) {
    time.pass(Duration.ofMillis(millis));
  }

  record NoPower() implements SimFleet.Power {
    @Override
    public void on(SimMachine machine) {}

    @Override
    public void off(SimMachine machine) {}

    @Override
    public void notice(SimMachine machine) {}

    @Override
    public void deleteAsked(SimMachine machine) {}
  }
}
