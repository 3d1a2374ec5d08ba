package dev.mayfly.bench.agents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.os.ProcessPorts;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.firestore.FirestoreDatabase;
import dev.mayfly.gcp.firestore.FirestoreSettings;
import dev.mayfly.porttests.GoogleEmulator;
import dev.mayfly.sim.fake.SimObjectStore;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One cluster with its instances and agents, in a separate project of the emulator. */
final class BenchCluster implements AutoCloseable {
  static final String CLUSTER = "c-bench";

  private static final int INSTANCES = 3;
  private static final int BATCH = 200;
  private static final int MAX_TRIES = 10;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final InstantSource clock;
  private final FirestoreSettings database;
  private final List<FirestoreDatabase> states = new ArrayList<>();
  private final List<WorkersInstance> instances = new ArrayList<>();
  private final List<WaitingAgent> agents = new ArrayList<>();
  private final LedgerMeter ledgerMeter = new LedgerMeter();
  private final ControlPlane jobs;

  BenchCluster(
      String host, InstantSource clock, int agentCount, WaitingAgent.LeaseListener leaseListener)
      throws IOException {
    this(host, clock, agentCount, GoogleEmulator.freshProject());
    for (var i = 0; i < INSTANCES; i++)
      instances.add(WorkersInstance.start(control(ledgerMeter.wrap(open()), "workers-" + i)));
    for (var i = 0; i < agentCount; i++)
      agents.add(new WaitingAgent(i, instances.get(i % INSTANCES).url(), leaseListener));
  }

  /** With one instance of {@code workers}, in another process. */
  BenchCluster(
      String host,
      InstantSource clock,
      int agentCount,
      WaitingAgent.LeaseListener leaseListener,
      String project,
      URI workers)
      throws IOException {
    this(host, clock, agentCount, project);
    for (var i = 0; i < agentCount; i++) agents.add(new WaitingAgent(i, workers, leaseListener));
  }

  private BenchCluster(String host, InstantSource clock, int agentCount, String project)
      throws IOException {
    this.clock = clock;
    database = FirestoreSettings.of(project).withEmulator(host);
    var ledger = open();
    store(ledger, agentCount);
    jobs = control(ledger, "jobs");
  }

  private Ledger open() {
    var state = FirestoreDatabase.open(database);
    states.add(state);
    return state.ledger();
  }

  /** With its own executor, ids and connection, like another process. */
  private ControlPlane control(Ledger ledger, String instance) {
    var triggers = new LinkedBlockingQueue<Trigger>();
    var context =
        new Context(
            ledger,
            triggers::add,
            _ -> {},
            ComputeEngine.fleet(ComputeSettings.of("bench").withEndpoint("http://127.0.0.1:1")),
            new SimObjectStore(clock),
            Wire.codec(),
            ProcessPorts.executor(clock),
            TickScheduler.always(),
            ProcessPorts.ids(),
            clock,
            Timings.DEFAULT);
    var controlPlane = new ControlPlane(context, instance, "http://127.0.0.1");
    if (instance.equals("jobs")) Thread.ofVirtual().start(() -> expand(controlPlane, triggers));
    return controlPlane;
  }

  /** Handles expansion triggers as the jobs function would; there are no machines to reconcile. */
  private static void expand(ControlPlane controlPlane, LinkedBlockingQueue<Trigger> triggers) {
    try {
      while (true) if (triggers.take() instanceof Trigger.Expand work) controlPlane.handle(work);
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
            Duration.ofHours(24),
            MachineSpec.PLAIN);
    var spec =
        ClusterBuilder.named("bench").bucket("gs://bench").pools(pool).owner("bench").build();
    var now = clock.instant();
    write(
        ledger,
        new LedgerWrite.Put(
            new Cluster(CLUSTER, spec, Cluster.Phase.UP, 1, 0, now, Optional.empty())));
    write(ledger, new LedgerWrite.Put(new ClusterName("bench", CLUSTER)));
    for (var from = 0; from < agentCount; from += BATCH) {
      var ledgerWrites = new ArrayList<LedgerWrite>();
      for (var i = from; i < Math.min(agentCount, from + BATCH); i++)
        ledgerWrites.add(new LedgerWrite.Create(WaitingAgent.stored(i, now)));
      ledger.commit(ledgerWrites);
    }
  }

  /** A new emulator may need longer than the timeout of a commit. */
  private static void write(Ledger ledger, LedgerWrite.Put put) {
    for (var tries = 0; ; tries++)
      try {
        ledger.commit(List.of(put));
        return;
      } catch (UnavailableException e) {
        if (tries == MAX_TRIES) throw e;
      }
  }

  /** Waits until all agents have a pending sync. */
  void awaitAgents() throws InterruptedException, TimeoutException {
    agents.forEach(WaitingAgent::begin);
    until(() -> instances.stream().mapToInt(WorkersInstance::waiting).sum() == agents.size());
  }

  /** Starts the agents, and waits until each has one reply and a second, pending sync. */
  void awaitAnswers() throws InterruptedException, TimeoutException {
    agents.forEach(WaitingAgent::begin);
    until(() -> agents.stream().allMatch(WaitingAgent::isAnswered));
  }

  /** Submits a job. */
  void submit(String name, int tasks) {
    var userMessage =
        new UserMessage(
            "m-" + name,
            clock.instant(),
            MessageTopic.ofAll(UserTopic.JOBS),
            Optional.empty(),
            job(name, tasks).getBytes(UTF_8));
    jobs.commandHandler().handle(userMessage);
  }

  /** Submits one job once all agents wait, and returns the result lines. */
  List<String> runJob(LeaseArrivals leaseArrivals, int tasks)
      throws InterruptedException, TimeoutException {
    awaitAgents();
    var before = ledgerMeter.operations();
    leaseArrivals.expect(tasks);
    var cpuTime = CpuTime.now();
    var accepted = System.nanoTime();
    submit("bench", tasks);
    if (!leaseArrivals.await(LIMIT))
      throw new TimeoutException("not all tasks leased after 120 s: " + leaseArrivals);
    var told = leaseArrivals.lines(accepted);
    var cost = CpuTime.now().since(cpuTime);
    var lines = new ArrayList<String>();
    lines.add(
        "%,d agents waiting at %d instances, a job of %,d tasks:"
            .formatted(agents.size(), INSTANCES, tasks));
    lines.addAll(told);
    lines.add(cost);
    lines.addAll(operationLines(ledgerMeter.operations().since(before)));
    return lines;
  }

  /** The instances' Firestore operations; failed commits by reason since the start. */
  private List<String> operationLines(LedgerMeter.Operations some) {
    var all = some.commits() + some.conflicts();
    return List.of(
        "  operations of the instances: %,d reads, %,d writes, %,d deletes"
            .formatted(some.reads(), some.writes(), some.deletes()),
        "  commits of the instances: %,d, of which failed %.1f %% %s"
            .formatted(all, all == 0 ? 0 : 100.0 * some.conflicts() / all, ledgerMeter.wasted()));
  }

  private static String job(String name, int tasks) {
    return """
    {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "%s", "cluster": "bench",
     "tasks": {"count": %d}, "command": ["true"], "resources": {"cpu": 1, "memory": "1Gi"}}\
    """
        .formatted(name, tasks);
  }

  /** A condition to wait for. */
  private interface Condition {
    boolean now();
  }

  private static void until(Condition condition) throws InterruptedException, TimeoutException {
    var end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.now()) {
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
    states.forEach(FirestoreDatabase::close);
  }
}
