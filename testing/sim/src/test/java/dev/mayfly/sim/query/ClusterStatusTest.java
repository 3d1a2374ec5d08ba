package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.AcceleratorUse;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.task.JobEvents;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users see of a cluster and its workers. */
class ClusterStatusTest {
  private final LabCluster labCluster = new LabCluster(1);

  @Test
  void missingLimitsHideNothing() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.change(
        "w",
        false,
        x -> x.withProblem(Optional.of(MachineProblem.Kind.UNLIMITED.of("no control groups"))));
    labCluster.advance(40_000);
    var view = labCluster.controlPlane.statusQueries().workers("lab", false).getFirst();

    assertThat(view.state()).isEqualTo("ready");
    assertThat(view.problem()).hasValueSatisfying(p -> assertThat(p).startsWith("silent"));
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").problems())
        .containsExactly("w: not enforced: no control groups");
  }

  @Test
  void useCountsHostsAndNoMoreThanThereIs() {
    labCluster.machine("w").syncAndWait();
    var need = Resources.cpu(1, 1L << 30);
    var at = labCluster.now();
    labCluster.change(
        "w",
        false,
        w ->
            w.withLeases(
                List.of(
                    new Worker.Held(
                        "a", 0, 1, need, at, List.of(0L, 1L), false, 1, List.of(), List.of()),
                    new Worker.Held(
                        "b", 0, 1, need, at, List.of(), false, 2, List.of(), List.of())),
                at));
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab"))
        .satisfies(view -> {
          assertThat(view.used()).isEqualTo(need.times(2));
          assertThat(view.total()).isEqualTo(Resources.cpu(2, 8L << 30));
        });

    labCluster.machine("slice", "cpu", "us-a", "v4-32");
    labCluster.change(
        "slice",
        false,
        w -> {
          var who = new Incarnation("7", "b", at);
          return w.withSync(who, 1, Resources.cpu(240, 400L << 30), at)
              .with(new WorkerState.Ready(at, Optional.empty()))
              .withLeases(
                  List.of(
                      new Worker.Held(
                          "c", 0, 1, need, at, List.of(0L), false, 1, List.of(), List.of())),
                  at);
        });
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab"))
        .satisfies(view -> {
          assertThat(view.used()).isEqualTo(need.times(6));
          assertThat(view.total().cpuMillis()).isEqualTo(2_000 + 4 * 240_000);
        });
  }

  @Test
  void clusterStatusShowsPools() {
    labCluster.machine("w").syncAndWait();
    var view = labCluster.controlPlane.statusQueries().cluster("lab");
    assertThat(view.workers()).isEqualTo(Map.of("ready", 1));
    assertThat(view.pools()).singleElement().satisfies(p -> assertThat(p.live()).isEqualTo(1));
    assertThat(labCluster.controlPlane.statusQueries().clusters()).hasSize(1);
  }

  @Test
  void wantedMachinesAreThoseOfAPlanWithStock() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE));
    lab.job("j", 5);
    lab.fleet.orders =
        Optional.of(_ ->
            new Fleet.Ordered.Refused(
                new Fleet.Refusal(Fleet.Refusal.Kind.CAPACITY, "EXHAUSTED", "us-a")));
    for (var i = 0; i < 6; i++) lab.tick();

    assertThat(pool(lab))
        .satisfies(pool -> {
          assertThat(pool.live()).isZero();
          assertThat(pool.wanted()).contains(3);
        });
    assertThat(lab.views().clusters().getFirst().pools().getFirst().wanted()).isEmpty();
  }

  /** They are events of machines that never were, and why the job waits. */
  @Test
  void ordersRefusedAreEventsOfTheWaitingJob() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE));
    var job = lab.job("j", 5);
    lab.fleet.orders =
        Optional.of(_ ->
            new Fleet.Ordered.Refused(
                new Fleet.Refusal(Fleet.Refusal.Kind.CAPACITY, "EXHAUSTED", "us-a")));
    for (var i = 0; i < 6; i++) lab.tick();

    var events = new JobEvents(lab.ledger);
    assertThat(events.of(lab.cluster(), job, 10, JobEvents.Orders.NONE)).isEmpty();
    var other = lab.job("other", 5);
    assertThat(events.of(lab.cluster(), other, 10, JobEvents.Orders.ITS_OWN)).isEmpty();
    assertThat(events.of(lab.cluster(), job, 10, JobEvents.Orders.ITS_OWN))
        .isEqualTo(events.of(lab.cluster(), job, 10, JobEvents.Orders.OF_ITS_POOLS))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.about()).startsWith("worker/lab-cpu-");
          assertThat(event.why())
              .matches(
                  "an order of pool cpu: EXHAUSTED.*; [0-9]+ orders failed alike since [-0-9]+T[:0-9]+Z");
        });
  }

  /** Why a job waited is told while it runs too, until that is long ago. */
  @Test
  void refusedOrdersStayEventsOfTheRunningJob() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE));
    var job = lab.job("j", 1);
    lab.name(job);
    lab.fleet.orders =
        Optional.of(_ ->
            new Fleet.Ordered.Refused(
                new Fleet.Refusal(Fleet.Refusal.Kind.CAPACITY, "EXHAUSTED", "us-a")));
    lab.tick();
    lab.fleet.orders = Optional.empty();
    for (var i = 0; i < 6; i++) lab.tick();
    var shard = lab.ledger.read(new DocumentKey.OfShard(lab.uid, job.uid(), 0)).orElseThrow();
    var owner = new Shard.Owner(lab.only().name(), lab.only().epoch());
    var leased = ShardTransitions.grant(shard.value(), owner, lab.time.instant());
    lab.ledger.commit(List.of(new LedgerWrite.Update(leased, shard.version())));

    assertThat(lab.views().explain("lab", "j").events())
        .filteredOn(event -> event.what().equals("refused"))
        .singleElement()
        .satisfies(event -> assertThat(event.why()).contains("an order of pool cpu: EXHAUSTED"));
  }

  @Test
  void whatHoldsJobsIsToldOnceWithThem() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE));
    lab.job("j", 5);
    lab.fleet.orders =
        Optional.of(_ ->
            new Fleet.Ordered.Refused(
                new Fleet.Refusal(Fleet.Refusal.Kind.CAPACITY, "EXHAUSTED", "us-a")));
    lab.tick();

    assertThat(lab.views().cluster("lab").problems())
        .filteredOn(problem -> problem.contains("EXHAUSTED"))
        .singleElement()
        .satisfies(problem -> assertThat(problem).endsWith("job j waits for it"));
  }

  private static ClusterStatus.PoolView pool(ReconcileFixture lab) {
    return lab.views().cluster("lab").pools().getFirst();
  }

  @Test
  void acceleratorsAreCountedByKind() {
    accelerator("l4", "g2-standard-4", new Resources(4_000, 16L << 30, 1_000, 0));
    accelerator("again", "g2-standard-4", new Resources(4_000, 16L << 30, 1_000, 0));
    accelerator("slice", "v4-16", new Resources(240_000, 400L << 30, 0, 4));
    accelerator("node", "v6e-8", new Resources(180_000, 1440L << 30, 0, 8));
    accelerator("machine", "ct6e-standard-8t", new Resources(180_000, 1440L << 30, 0, 8));
    var need = new Resources(1_000, 1L << 30, 500, 0);
    var at = labCluster.now();
    labCluster.change(
        "l4",
        false,
        w ->
            w.withLeases(
                List.of(
                    new Worker.Held(
                        "a", 0, 1, need, at, List.of(0L), false, 1, List.of(), List.of())),
                at));

    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").accelerators())
        .containsExactly(
            new AcceleratorUse("nvidia-l4", 0.5, 2),
            new AcceleratorUse("v4", 0, 8),
            new AcceleratorUse("v6e", 0, 16));
  }

  private void accelerator(String name, String type, Resources total) {
    labCluster.machine(name, "cpu", "us-a", type);
    labCluster.change(
        name,
        false,
        w -> {
          var at = labCluster.now();
          return w.withSync(new Incarnation(name, "b", at), 1, total, at)
              .with(new WorkerState.Ready(at, Optional.empty()));
        });
  }

  @Test
  void tickPrunesOldChangeSignalEntries() {
    var work = labCluster.now();
    var old = new HashMap<String, Instant>();
    for (var i = 0; i < 150; i++) old.put("w" + i, labCluster.now());
    labCluster.store.commit(
        List.of(new LedgerWrite.Put(new ChangeSignal(labCluster.uid, labCluster.now(), old))));
    labCluster.advance(11 * 60_000);
    labCluster.store.commit(
        List.of(new LedgerWrite.Signal(labCluster.uid, labCluster.now(), false, List.of("young"))));
    labCluster.controlPlane.handle(new Trigger.Tick());

    var changeSignal =
        labCluster.store.read(new DocumentKey.OfChangeSignal(labCluster.uid)).orElseThrow().value();
    assertThat(changeSignal.workers()).containsOnlyKeys("young");
    assertThat(changeSignal.work()).isEqualTo(work);
  }

  @Test
  void lostWorkerShowsReason() {
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.change(
        "w",
        false,
        x -> x.with(new WorkerState.Lost(labCluster.now(), FailureCause.LOST, "silent for 20 s")));
    var view = labCluster.controlPlane.statusQueries().workers("lab", true).getFirst();
    assertThat(view.reason()).isEqualTo(Optional.of("silent for 20 s"));
  }

  @Test
  void workerViewShowsLeasesAndSilence() {
    labCluster.submit(LabCluster.count("j", 1));
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.advance(2_000);
    var view = labCluster.controlPlane.statusQueries().workers("lab", false).getFirst();
    assertThat(view.state()).isEqualTo("ready");
    assertThat(view.leases())
        .singleElement()
        .satisfies(l -> assertThat(l.jobName()).isEqualTo("j"));
    labCluster.advance(20_000);
    assertThat(
            labCluster
                .controlPlane
                .statusQueries()
                .workers("lab", false)
                .getFirst()
                .problem()
                .orElse(""))
        .startsWith("silent");
  }
}
