package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.JobExplanation.Reason;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The consequence of each kind of refused order. */
class LaunchFailuresTest {
  private final ReconcileFixture b =
      new ReconcileFixture(ReconcileFixture.pool(0, 10, ReconcileFixture.ZONE, "eu-b"));
  private final List<Instant> asked = new ArrayList<>();

  private void refuse(Refusal.Kind kind, String code) {
    b.fleet.orders =
        Optional.of(order -> {
          asked.add(b.time.instant());
          return new Ordered.Refused(new Refusal(kind, code, "said the cloud"));
        });
  }

  private List<String> reasons(String kind) {
    var name =
        JobName.unused(DocumentKey.OfJobName.of(b.uid, "reddit")).of("uid-reddit", "h", true);
    b.ledger.commit(List.of(new LedgerWrite.Put(name)));
    return b.views().explain("lab", "reddit").reasons().stream()
        .filter(r -> r.kind().equals(kind))
        .map(Reason::text)
        .toList();
  }

  @Test
  void exhaustedCallQuotaWaitsForNextMinute() {
    b.job("reddit", 8);
    refuse(Refusal.Kind.RATE, "rateLimitExceeded");
    b.time.advance(Duration.ofSeconds(20));
    b.reconcileLoop.tick();
    var edge = b.time.instant().truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
    assertThat(asked).as("the first refusal speaks for all").hasSize(1);
    assertThat(b.workers()).hasSize(4).allMatch(w -> w.state() instanceof WorkerState.Launching);

    b.fleet.orders =
        Optional.of(order -> {
          asked.add(b.time.instant());
          return b.machines.order(order);
        });
    asked.clear();
    for (var second = 0; second < 60; second += 2) {
      b.time.advance(Duration.ofSeconds(2));
      b.reconcileLoop.tick();
    }

    assertThat(asked).hasSize(4).allMatch(at -> !at.isBefore(edge));
    assertThat(asked.stream().distinct().count()).as("not all at once").isGreaterThan(1);
    assertThat(b.ledger.query(new LedgerQuery.Stockouts()).requireComplete())
        .as("no state is changed")
        .isEmpty();
  }

  @Test
  void returnedCallQuotaTriggersOneReconcile() {
    b.job("reddit", 8);
    refuse(Refusal.Kind.RATE, "rateLimitExceeded");
    b.time.advance(Duration.ofSeconds(20));
    b.reconcileLoop.tick();
    b.triggers.clear();

    b.time.advance(Duration.ofSeconds(60));

    assertThat(b.triggers)
        .singleElement()
        .isInstanceOfSatisfying(
            Trigger.Reconcile.class,
            look -> assertThat(b.worker(look.workers().getFirst())).isNotNull());
  }

  @Test
  void repeatedUnknownCodePausesZone() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.TRANSIENT, "OUT_OF_CHEESE");
    var zones = new ArrayList<String>();
    b.fleet.orders =
        Optional.of(order -> {
          zones.add(order.name().zone());
          return new Ordered.Accepted("op");
        });
    b.fleet.progress =
        Optional.of(
            new Fleet.Progress.Failed(
                new Refusal(Refusal.Kind.TRANSIENT, "OUT_OF_CHEESE", "said the cloud")));

    for (var i = 0; i < 12 && zones.size() < 7; i++) b.tick();

    assertThat(zones.stream().filter(ReconcileFixture.ZONE::equals).count()).isBetween(2L, 4L);
    assertThat(reasons("unclear"))
        .anySatisfy(why ->
            assertThat(why)
                .contains(
                    "zone us-a",
                    "orders of n2-standard-2",
                    "OUT_OF_CHEESE",
                    "pauses launches there"));
  }

  @Test
  void transientRefusalIsRetriedWithSameIntent() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.TRANSIENT, "backendError");
    b.tick();
    var name = b.only().name();

    b.tick();

    assertThat(b.only().name()).isEqualTo(name);
    assertThat(asked).hasSize(2);
  }

  @Test
  void answerToAnOrderEndsWithTheOrder() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.TRANSIENT, "backendError");
    b.tick();
    assertThat(b.only().machineProblem())
        .hasValueSatisfying(said -> assertThat(said.what()).contains("backendError"));

    b.fleet.orders = Optional.empty();
    b.tick();
    b.tick();

    assertThat(b.only().state()).isInstanceOf(WorkerState.Booting.class);
    assertThat(b.only().machineProblem()).isEmpty();
  }

  @Test
  void endedJobsIntentIsNotOrdered() {
    var job = b.job("reddit", 8);
    refuse(Refusal.Kind.TRANSIENT, "backendError");
    b.tick();
    asked.clear();

    var stored = b.ledger.read(job.key()).orElseThrow();
    var ended =
        new JobState.Ended(
            b.time.instant(),
            JobState.Result.STOPPED,
            "by ada",
            TaskTotals.NONE,
            Map.of(),
            Optional.empty());
    b.ledger.commit(List.of(new LedgerWrite.Update(stored.value().with(ended), stored.version())));
    b.tick();

    assertThat(asked).isEmpty();
    b.tick();
    assertThat(b.workers()).isEmpty();
  }

  @Test
  void quotaRefusalBlocksRegionWithReason() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.QUOTA, "QUOTA_EXCEEDED");
    b.tick();

    assertThat(reasons("quota"))
        .singleElement()
        .asString()
        .contains("region us allows no more n2-standard-2: QUOTA_EXCEEDED");
  }

  @Test
  void personFixableRefusalNamesPool() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.DENIED, "forbidden");
    b.tick();

    assertThat(reasons("refused"))
        .singleElement()
        .asString()
        .contains("zone us-a refused a machine of pool cpu: forbidden (said the cloud)");
  }

  /** Forty parallel calls record failures: a write between another's read and write counts too. */
  @Test
  void eachOfManyUnfitMachinesCounts() {
    var other = b.time.instant().minusSeconds(5);
    var rival =
        new Stockout(
            ZoneAvailability.UNFIT,
            ZoneAvailability.poolKey(b.cluster(), "cpu"),
            "theirs",
            List.of(other),
            Optional.empty());
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.makeReady(name);
    var until = b.time.instant().plusSeconds(600);
    b.change(
        name,
        w ->
            w.withProblem(Optional.of(MachineProblem.Kind.UNFIT.of("no driver")))
                .with(
                    new WorkerState.Draining(
                        b.time.instant(), new DrainReason(DrainCause.UNNEEDED, "unfit"), until)));

    ReconcileFixture.rounds(b.on(interruptedBy(rival))).tick();

    assertThat(b.ledger.read(rival.key()).orElseThrow().value().seen()).hasSize(2).contains(other);
  }

  /** A ledger in which a rival stockout is stored just before the first one. */
  private Ledger interruptedBy(Stockout rival) {
    var first = new AtomicBoolean(true);
    return (Ledger)
        Proxy.newProxyInstance(
            LaunchFailuresTest.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (self, method, arguments) -> {
              if (method.getName().equals("commit")
                  && ((List<?>) arguments[0])
                      .stream()
                          .anyMatch(w -> ((LedgerWrite) w).key() instanceof DocumentKey.OfStockout)
                  && first.getAndSet(false)) b.ledger.commit(List.of(new LedgerWrite.Put(rival)));
              return method.invoke(b.ledger, arguments);
            });
  }
}
