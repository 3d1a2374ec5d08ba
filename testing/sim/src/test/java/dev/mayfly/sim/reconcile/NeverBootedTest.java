package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostReader;
import dev.mayfly.core.query.cost.CostRequest;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Machines whose orders are accepted and that never report. */
class NeverBootedTest {
  private static final String[] ZONES = {"us-a", "us-b"};

  /** The cloud takes each order and completes none. */
  private static ReconcileFixture uncompleted(PoolSpec pool) {
    var b = new ReconcileFixture(pool);
    b.name(b.job("reddit", 1));
    b.fleet.progress = Optional.of(new Fleet.Progress.Pending());
    b.fleet.orders = Optional.of(order -> new Fleet.Ordered.Accepted("op"));
    b.tick();
    return b;
  }

  private static PoolSpec pool() {
    return ReconcileFixture.pool(0, 1, ZONES);
  }

  private static PoolSpec manyGpus() {
    return new PoolSpec(
        "cpu",
        "a3-highgpu-8g",
        Resources.cpu(208, 1800L << 30),
        List.of(ZONES),
        Provisioning.SPOT,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static void pass(ReconcileFixture b, int minutes) {
    for (var i = 0; i < minutes; i++) b.tick();
  }

  private static String reason(ReconcileFixture b) {
    return b.views().jobs("lab", 5).getFirst().reason().orElseThrow();
  }

  @Test
  void uncompletedOrderIsGivenUpForTheNextZone() {
    var b = uncompleted(pool());
    var first = b.only();
    assertThat(first.zone()).isEqualTo("us-a");

    pass(b, 9);
    assertThat(b.worker(first.name()).state().live()).isTrue();
    pass(b, 1);

    assertThat(b.worker(first.name()).state().live()).isFalse();
    pass(b, 1);
    assertThat(b.worker(first.name()).state())
        .isInstanceOfSatisfying(
            WorkerState.Gone.class,
            gone ->
                assertThat(gone.reason())
                    .contains("never booted: the cloud did not start it within 10m of its order"));
    assertThat(b.views().explain("lab", "reddit").events())
        .anySatisfy(event ->
            assertThat(event.why()).contains("an order of pool", "never booted: the cloud"));
    assertThat(b.workers()).extracting(Worker::zone).containsExactly("us-b");
    assertThat(b.views().events("lab", Optional.of("worker/" + first.name()), 50))
        .extracting(EventRecord::what)
        .containsExactly("deleted", "lost", "ordered");
  }

  @Test
  void silentMachineIsGivenUpForTheNextZone() {
    var b = new ReconcileFixture(pool());
    b.job("reddit", 1);
    b.tick();
    var first = b.only();

    pass(b, 12);

    assertThat(b.worker(first.name()).state())
        .isInstanceOfSatisfying(
            WorkerState.Gone.class,
            gone ->
                assertThat(gone.reason()).contains("the cloud started it and its agent did not"));
    assertThat(b.workers()).extracting(Worker::zone).containsExactly("us-b");
  }

  @Test
  void onlyZoneIsLeftForSomeMinutes() {
    var b = uncompleted(ReconcileFixture.pool(0, 1, "us-a"));

    pass(b, 12);
    assertThat(b.workers()).isEmpty();
    assertThat(reason(b))
        .contains("zone us-a accepted the order of n2-standard-2", "did not start it", "next try")
        .as("whoever ordered it")
        .doesNotContain("for pool");
    pass(b, 5);
    assertThat(b.workers()).hasSize(1);
    assertThat(b.views().explain("lab", "reddit").remedy().orElseThrow())
        .as("the next one may not come either")
        .contains("another zone or machine type in the pool may start sooner");
  }

  @Test
  void slowKindIsAwaitedForAnHour() {
    var b = uncompleted(manyGpus());
    var first = b.only().name();

    pass(b, 58);
    assertThat(b.worker(first).state().live()).isTrue();
    pass(b, 3);
    assertThat(b.worker(first).state().live()).isFalse();
  }

  @Test
  void lateMachineIsTroubleWithWhatComes() {
    var b = uncompleted(pool());
    pass(b, 3);
    assertThat(reason(b)).contains("is being created");
    assertThat(b.views().cluster("lab").problems()).isEmpty();

    pass(b, 3);

    var until = b.only().createdAt().plus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.SECONDS);
    assertThat(reason(b))
        .isEqualTo(
            "no-boot: machine %s of pool cpu was ordered 6m ago in zone us-a, and the cloud has not started it; it is given up at %s, in 4m, and another is ordered in zone us-b"
                .formatted(b.only().name(), until));
    assertThat(b.views().cluster("lab").problems())
        .containsExactly(reason(b).substring("no-boot: ".length()));
    assertThat(b.views().workers("lab", false).getFirst().problem())
        .hasValueSatisfying(it -> assertThat(it).contains("has not started it", "given up at"));
  }

  @Test
  void othersOfItsPoolTellSooner() {
    var b = new ReconcileFixture(ReconcileFixture.pool(2, 2, ZONES));
    b.tick();
    b.time.advance(Duration.ofSeconds(25));
    b.makeReady(b.workers().getFirst().name());

    pass(b, 2);

    assertThat(b.views().cluster("lab").problems())
        .singleElement()
        .asString()
        .contains("the cloud has started it and it has not reported");
  }

  @Test
  void unneededMachineSaysThatItNeverBooted() {
    var b = uncompleted(pool());
    var first = b.only().name();
    pass(b, 7);
    noJob(b);

    pass(b, 2);

    assertThat(b.worker(first).state())
        .isInstanceOfSatisfying(
            WorkerState.Gone.class,
            gone -> assertThat(gone.reason()).contains("never booted", "no job needs it any more"));
  }

  private static long millis(ReconcileFixture b) {
    var request = new CostRequest(CostBy.POOL, LocalDate.EPOCH, Optional.empty());
    var total = new CostReader(b.ledger, b.time).read(b.cluster(), request).total();
    return Math.round(total.total().hours() * 3_600_000);
  }

  @Test
  void whatTheCloudDoesNotRunCostsNothing() {
    var b = uncompleted(pool());

    pass(b, 8);
    b.time.advance(Duration.ofSeconds(40));
    assertThat(millis(b)).isZero();
    assertThat(b.views().workers("lab", false).getFirst().usd()).contains(0.0);

    var first = b.only().name();
    pass(b, 5);
    assertThat(b.worker(first).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(millis(b)).isZero();
    assertThat(usd(b, first)).isZero();
  }

  private static double usd(ReconcileFixture b, String worker) {
    return b.views().workers("lab", true).stream()
        .filter(it -> it.name().equals(worker))
        .findFirst()
        .orElseThrow()
        .usd()
        .orElseThrow();
  }

  private static void noJob(ReconcileFixture b) {
    var stored = b.ledger.query(new LedgerQuery.LiveJobs(b.uid)).requireComplete().getFirst();
    var stopped = stored.value().with(new JobState.Stopping(b.time.instant(), "ada"));
    b.ledger.commit(List.of(new LedgerWrite.Update(stopped, stored.version())));
  }

  /** The machine of a cluster whose job is over while the machine is made or boots. */
  private static ReconcileFixture unneeded(Duration starts) {
    var b = new ReconcileFixture(pool());
    b.machines.startTimes(_ -> Optional.of(starts));
    b.job("reddit", 1);
    b.tick();
    b.time.advance(Duration.ofSeconds(3));
    noJob(b);
    b.reconcile();
    assertThat(b.only().state()).isInstanceOf(WorkerState.Drained.class);
    return b;
  }

  @Test
  void machineThatEndsBeforeItRunsCostsNothing() {
    var b = unneeded(Duration.ofMinutes(5));
    var first = b.only().name();

    pass(b, 3);

    assertThat(b.worker(first).state()).isInstanceOf(WorkerState.Gone.class);
    assertThat(millis(b)).isZero();
    assertThat(usd(b, first)).isZero();
  }

  @Test
  void machineThatRanAndEndsBeforeItReportsCosts() {
    var b = unneeded(Duration.ofSeconds(5));
    var first = b.only().name();

    pass(b, 3);

    assertThat(b.worker(first).state()).isInstanceOf(WorkerState.Gone.class);
    var billed = b.machines.ever().getFirst().billed().toMillis();
    assertThat(millis(b)).isBetween(billed, billed + 90_000);
  }

  @Test
  void machineIsPaidForSinceItWasSeen() {
    var b = uncompleted(pool());
    var first = b.only().name();
    pass(b, 7);
    b.time.advance(Duration.ofSeconds(20));

    b.makeReady(first);

    assertThat(millis(b)).isEqualTo(20_000);
    b.time.advance(Duration.ofSeconds(40));
    assertThat(millis(b)).isEqualTo(60_000);
  }

  @Test
  void machineThatRunsIsPaidForBeforeItReports() {
    var b = new ReconcileFixture(pool());
    b.job("reddit", 1);
    b.tick();
    pass(b, 3);

    assertThat(millis(b)).isGreaterThan(Duration.ofMinutes(2).toMillis());
  }
}
