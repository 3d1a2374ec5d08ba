package dev.mayfly.bench.agents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Topic;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Meter;
import dev.mayfly.core.port.Schedule;
import dev.mayfly.core.port.Write;
import dev.mayfly.functions.os.Host;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.firestore.FirestoreSettings;
import dev.mayfly.gcp.firestore.FirestoreState;
import dev.mayfly.porttests.Emulator;
import dev.mayfly.sim.fake.SimObjects;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One cluster with its instances and agents, in a project of its own in the emulator. */
final class Scene implements AutoCloseable {
  static final String CLUSTER = "c-bench";

  private static final int INSTANCES = 3;
  private static final int BATCH = 200;
  private static final int TRIES = 10;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final InstantSource clock;
  private final FirestoreSettings database;
  private final List<FirestoreState> states = new ArrayList<>();
  private final List<WorkersInstance> instances = new ArrayList<>();
  private final List<WaitingAgent> agents = new ArrayList<>();
  private final Meter meter = new Meter();
  private final Control jobs;

  Scene(String host, InstantSource clock, int agentCount, WaitingAgent.Ear ear) throws IOException {
    this(host, clock, agentCount, Emulator.freshProject());
    for (var i = 0; i < INSTANCES; i++)
      instances.add(WorkersInstance.start(control(meter.around(open()), "workers-" + i)));
    for (var i = 0; i < agentCount; i++)
      agents.add(new WaitingAgent(i, instances.get(i % INSTANCES).url(), ear));
  }

  /** With one instance of {@code workers}, which is another process. */
  Scene(
      String host,
      InstantSource clock,
      int agentCount,
      WaitingAgent.Ear ear,
      String project,
      URI workers)
      throws IOException {
    this(host, clock, agentCount, project);
    for (var i = 0; i < agentCount; i++) agents.add(new WaitingAgent(i, workers, ear));
  }

  private Scene(String host, InstantSource clock, int agentCount, String project)
      throws IOException {
    this.clock = clock;
    database = FirestoreSettings.of(project).at(host);
    var ledger = open();
    store(ledger, agentCount);
    jobs = control(ledger, "jobs");
  }

  private Ledger open() {
    var state = FirestoreState.open(database);
    states.add(state);
    return state.ledger();
  }

  /** Its own alarms, ids and connection, as another process would have. */
  private Control control(Ledger ledger, String instance) {
    var hints = new LinkedBlockingQueue<Hint>();
    var ports =
        new Ports(
            ledger,
            hints::add,
            ComputeEngine.fleet(ComputeSettings.of("bench").at("http://127.0.0.1:1")),
            new SimObjects(clock),
            Wire.codec(),
            Host.alarms(clock),
            Schedule.always(),
            Host.ids(),
            clock);
    var control = new Control(ports, Rules.DEFAULT, instance, "http://127.0.0.1");
    if (instance.equals("jobs")) Thread.ofVirtual().start(() -> expand(control, hints));
    return control;
  }

  /** What the jobs function would get back as messages; there are no machines to look after. */
  private static void expand(Control control, LinkedBlockingQueue<Hint> hints) {
    try {
      while (true) if (hints.take() instanceof Hint.Expand hint) control.look(hint);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void store(Ledger ledger, int agentCount) {
    var pool =
        new PoolSpec(
            "small",
            "n2-standard-2",
            WaitingAgent.TOTAL,
            List.of("europe-west4-a"),
            Provisioning.SPOT,
            0,
            agentCount,
            Duration.ofMinutes(10),
            Duration.ofHours(24));
    var spec =
        new ClusterSpec("bench", "gs://bench", Map.of(), List.of(pool), Optional.of("bench"));
    var now = clock.instant();
    write(
        ledger,
        new Write.Put(new Cluster(CLUSTER, spec, Cluster.Phase.UP, 1, 0, now, Optional.empty())));
    write(ledger, new Write.Put(new ClusterName("bench", CLUSTER)));
    for (var from = 0; from < agentCount; from += BATCH) {
      var writes = new ArrayList<Write>();
      for (var i = from; i < Math.min(agentCount, from + BATCH); i++)
        writes.add(new Write.Create(WaitingAgent.stored(i, now)));
      ledger.commit(writes);
    }
  }

  /** An emulator that was started this second may need longer than a commit is given. */
  private static void write(Ledger ledger, Write.Put put) {
    for (var tries = 0; ; tries++)
      try {
        ledger.commit(List.of(put));
        return;
      } catch (Unavailable e) {
        if (tries == TRIES) throw e;
      }
  }

  /** Waits until all agents wait. */
  void gather() throws InterruptedException, TimeoutException {
    agents.forEach(WaitingAgent::begin);
    until(() -> instances.stream().mapToInt(WorkersInstance::waiting).sum() == agents.size());
  }

  /** Begins, and waits until each agent was answered once and waits with its second call. */
  void greet() throws InterruptedException, TimeoutException {
    agents.forEach(WaitingAgent::begin);
    until(() -> agents.stream().allMatch(WaitingAgent::greeted));
  }

  /** Hands a job to the intake. */
  void submit(String name, int tasks) {
    var message =
        new Message("m-" + name, clock.instant(), Topic.JOBS, job(name, tasks).getBytes(UTF_8));
    jobs.intake().receive(message);
  }

  /** Publishes one job when all wait, and tells what came of it. */
  List<String> play(Leases leases, int tasks) throws InterruptedException, TimeoutException {
    gather();
    var before = meter.operations();
    leases.expect(tasks);
    var spent = Spent.now();
    var accepted = System.nanoTime();
    submit("bench", tasks);
    if (!leases.await(LIMIT))
      throw new TimeoutException("not all tasks leased after 120 s: " + leases);
    var told = leases.lines(accepted);
    var cost = Spent.now().since(spent);
    var lines = new ArrayList<String>();
    lines.add(
        "%,d agents waiting at %d instances, a job of %,d tasks:"
            .formatted(agents.size(), INSTANCES, tasks));
    lines.addAll(told);
    lines.add(cost);
    lines.addAll(asked(meter.operations().since(before)));
    return lines;
  }

  /** What the instances asked of Firestore; commits in vain by what they lost since the start. */
  private List<String> asked(Meter.Operations some) {
    var all = some.commits() + some.conflicts();
    return List.of(
        "  operations of the instances: %,d reads, %,d writes, %,d deletes"
            .formatted(some.reads(), some.writes(), some.deletes()),
        "  commits of the instances: %,d, of which failed %.1f %% %s"
            .formatted(all, all == 0 ? 0 : 100.0 * some.conflicts() / all, meter.vain()));
  }

  private static String job(String name, int tasks) {
    return """
    {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "%s", "cluster": "bench",
     "tasks": {"count": %d}, "command": ["true"], "resources": {"cpu": 1, "memory": "1Gi"}}\
    """
        .formatted(name, tasks);
  }

  /** A condition of the scene. */
  private interface Holds {
    boolean now();
  }

  private static void until(Holds holds) throws InterruptedException, TimeoutException {
    var end = System.nanoTime() + LIMIT.toNanos();
    while (!holds.now()) {
      if (System.nanoTime() > end) throw new TimeoutException("not all agents wait after 120 s");
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  static Instant born() {
    return Instant.EPOCH.plusSeconds(1);
  }

  @Override
  public void close() {
    agents.forEach(WaitingAgent::end);
    instances.forEach(WorkersInstance::close);
    jobs.close();
    states.forEach(FirestoreState::close);
  }
}
