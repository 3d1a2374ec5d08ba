package dev.mayfly.arch.walk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fake.FleetObserver;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIdGenerator;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fake.SimObjectStore;
import dev.mayfly.sim.fake.SimTickScheduler;
import dev.mayfly.sim.fault.FaultInjector;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One cluster, one worker and one job behind the real functions, and what a call of them walks. */
public final class WalkScene {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final Resources TOTAL = Resources.cpu(2, 8L << 30);
  private static final String NONCE = "nonce";
  private static final String JOB =
      """
      {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "count", "cluster": "lab",
       "command": ["true"], "tasks": {"count": 100, "output": "gs://lab/out/{index}"}}\
      """;

  private final SimTime time = new SimTime(NOW);
  private final SimLedger ledger = new SimLedger(time, () -> Duration.ZERO);
  private final List<Trigger> triggers = new ArrayList<>();
  private final SimFleet fleet =
      new SimFleet(time, new SimRandom(3), FaultInjector.none(new Trace(time)), new Unwatched());
  private final ControlPlaneFunctions functions = functions();
  private long seq;

  /** Walks by name: the types of which a method began. */
  public static Map<String, Set<String>> walk() throws Exception {
    return new WalkScene().walks();
  }

  private Map<String, Set<String>> walks() throws Exception {
    var walks = new HashMap<String, Set<String>>();
    store();
    deliver(JOB);
    var first = sync(TOTAL, List.of());
    var leases = first.leases().stream().map(WalkScene::begun).toList();
    sync(Resources.ZERO, leases);
    time.advance(Duration.ofSeconds(1));
    sync(Resources.ZERO, leases);
    time.advance(Duration.ofSeconds(1));
    var done = first.leases().stream().map(WalkScene::done).toList();
    WalkRecorder.begin();
    sync(Resources.ZERO, done);
    walks.put("sync", WalkRecorder.end());
    WalkRecorder.begin();
    Wire.codec().commands(JOB.getBytes(UTF_8));
    walks.put("message", WalkRecorder.end());
    walks.put("machine", new WalkScene().machineWalk());
    return walks;
  }

  /** From a job's message to the order of its first machine, which two functions share. */
  private Set<String> machineWalk() throws Exception {
    ledger.commit(List.of(new LedgerWrite.Put(cluster()), new LedgerWrite.Put(name())));
    WalkRecorder.begin();
    deliver(JOB);
    var sent = List.copyOf(triggers);
    for (var trigger : sent)
      functions.autoscale().accept(message("mayfly-ticks", Wire.shared().trigger(trigger)));
    var walk = WalkRecorder.end();
    if (fleet.list().machines().isEmpty()) throw new IllegalStateException("no machine is ordered");
    return walk;
  }

  private SyncOrders sync(Resources room, List<SyncReport.Lease> leases) throws Exception {
    var report =
        new SyncReport(
            "clab",
            "lab-small-1",
            0,
            new Incarnation("i-1", "boot-1", NOW),
            NONCE,
            ++seq,
            TOTAL,
            room,
            Map.of(),
            leases,
            List.of(),
            List.of(),
            Optional.empty(),
            false,
            0,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty());
    var response = new WalkHttp.Response();
    functions.workers().service(new WalkHttp.Request(Wire.shared().json(report)), response);
    return Wire.shared().read(SyncOrders.class, response.body());
  }

  private static SyncReport.Lease begun(SyncOrders.Lease lease) {
    var start = lease.ref().start();
    return new SyncReport.Lease(
        lease.ref(),
        lease.end(),
        TaskSet.none(start),
        List.of(),
        List.of(start),
        start + 1,
        false,
        List.of(),
        List.of());
  }

  private static SyncReport.Lease done(SyncOrders.Lease lease) {
    var start = lease.ref().start();
    return new SyncReport.Lease(
        lease.ref(),
        lease.end(),
        TaskSet.where(start, lease.end(), index -> index == start),
        List.of(),
        List.of(start + 1),
        start + 2,
        false,
        List.of(),
        List.of());
  }

  private void deliver(String document) throws Exception {
    functions.jobs().accept(message("mayfly-jobs", document.getBytes(UTF_8)));
  }

  private static CloudEvent message(String topic, byte[] bytes) {
    var data = Base64.getEncoder().encodeToString(bytes);
    var envelope =
        "{\"message\":{\"data\":\"%s\",\"messageId\":\"m1\",\"publishTime\":\"%s\",\"attributes\":{}}}"
            .formatted(data, NOW);
    return CloudEventBuilder.v1()
        .withId("e1")
        .withSource(URI.create("//pubsub.googleapis.com/projects/lab/topics/" + topic))
        .withType("google.cloud.pubsub.topic.v1.messagePublished")
        .withData("application/json", envelope.getBytes(UTF_8))
        .build();
  }

  private void store() {
    ledger.commit(
        List.of(
            new LedgerWrite.Put(cluster()),
            new LedgerWrite.Put(name()),
            new LedgerWrite.Put(worker())));
  }

  private static ClusterName name() {
    return new ClusterName("lab", "clab");
  }

  private static Cluster cluster() {
    var pool =
        new PoolSpec(
            "small",
            "n2-standard-2",
            TOTAL,
            List.of("europe-west4-a"),
            Provisioning.SPOT,
            0,
            1,
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            MachineSpec.PLAIN);
    var spec = ClusterBuilder.named("lab").pools(pool).owner("lab").build();
    return new Cluster("clab", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
  }

  private static Worker worker() {
    return new Worker(
        "clab",
        "lab-small-1",
        "small",
        "europe-west4-a",
        "n2-standard-2",
        new WorkerState.Launching(NOW, NOW.plusSeconds(600)),
        0,
        0,
        Sha256.of(NONCE),
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.of("i-1"),
        1,
        NOW,
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
        Optional.empty(),
        Optional.empty());
  }

  private ControlPlaneFunctions functions() {
    var context =
        new Context(
            ledger,
            triggers::add,
            _ -> {},
            fleet,
            new SimObjectStore(time),
            Wire.codec(),
            time,
            new SimTickScheduler(),
            new SimIdGenerator(new SimRandom(5)),
            time,
            Timings.DEFAULT);
    return ControlPlaneFunctions.of(context, "f1", "http://workers");
  }

  private record Unwatched() implements FleetObserver {
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
