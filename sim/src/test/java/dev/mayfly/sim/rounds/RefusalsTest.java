package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Explanation.Reason;
import dev.mayfly.core.control.Rounds;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Stockout;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.plan.Stock;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What becomes of an order by the kind of its refusal. */
class RefusalsTest {
  private final Bench b = new Bench(Bench.pool(0, 10, Bench.ZONE, "eu-b"));
  private final List<Instant> asked = new ArrayList<>();

  private void refuse(Refusal.Kind kind, String code) {
    b.fleet.orders =
        Optional.of(order -> {
          asked.add(b.time.instant());
          return new Ordered.Refused(new Refusal(kind, code, "said the cloud"));
        });
  }

  private List<String> reasons(String kind) {
    var name = new JobName(b.uid, "reddit", Optional.of("uid-reddit"), "h", true, Optional.empty());
    b.ledger.commit(List.of(new Write.Put(name)));
    return b.views().explain("lab", "reddit").reasons().stream()
        .filter(r -> r.kind().equals(kind))
        .map(Reason::text)
        .toList();
  }

  @Test
  void aSpentQuotaOfCallsIsWaitedForUntilTheMinutesEdgeAndAShareOfTenSeconds() {
    b.job("reddit", 8);
    refuse(Refusal.Kind.RATE, "rateLimitExceeded");
    b.time.pass(Duration.ofSeconds(20));
    b.rounds.tick();
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
      b.time.pass(Duration.ofSeconds(2));
      b.rounds.tick();
    }

    assertThat(asked).hasSize(4).allMatch(at -> !at.isBefore(edge));
    assertThat(asked.stream().distinct().count()).as("not all at once").isGreaterThan(1);
    assertThat(b.ledger.query(new Query.Stockouts()).complete())
        .as("no state is changed")
        .isEmpty();
  }

  @Test
  void whenTheCallsComeBackALookIsAskedForOnce() {
    b.job("reddit", 8);
    refuse(Refusal.Kind.RATE, "rateLimitExceeded");
    b.time.pass(Duration.ofSeconds(20));
    b.rounds.tick();
    b.hints.clear();

    b.time.pass(Duration.ofSeconds(60));

    assertThat(b.hints)
        .singleElement()
        .isInstanceOfSatisfying(
            Hint.Look.class, look -> assertThat(b.worker(look.workers().getFirst())).isNotNull());
  }

  @Test
  void aWordThatNobodyKnowsIsCountedShownAndRestsTheZoneAtTheThirdTime() {
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

    assertThat(zones.stream().filter(Bench.ZONE::equals).count()).isBetween(2L, 4L);
    assertThat(reasons("unclear"))
        .anySatisfy(why ->
            assertThat(why)
                .contains(
                    "zone us-a", "orders of n2-standard-2", "OUT_OF_CHEESE", "rests the zone"));
  }

  @Test
  void aRefusalThatIsNoWordYetIsTriedAgainWithTheSameIntent() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.TRANSIENT, "backendError");
    b.tick();
    var name = b.only().name();

    b.tick();

    assertThat(b.only().name()).isEqualTo(name);
    assertThat(asked).hasSize(2);
  }

  @Test
  void intentOfAnEndedJobIsNotOrdered() {
    var job = b.job("reddit", 8);
    refuse(Refusal.Kind.TRANSIENT, "backendError");
    b.tick();
    asked.clear();

    var stored = b.ledger.read(job.key()).orElseThrow();
    var ended = new JobState.Ended(b.time.instant(), JobState.Result.STOPPED, "by ada");
    b.ledger.commit(List.of(new Write.Update(stored.value().with(ended), stored.version())));
    b.tick();

    assertThat(asked).isEmpty();
    b.tick();
    assertThat(b.workers()).isEmpty();
  }

  @Test
  void wantOfQuotaBlocksTheRegionAndSaysSo() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.QUOTA, "QUOTA_EXCEEDED");
    b.tick();

    assertThat(reasons("quota"))
        .singleElement()
        .asString()
        .contains("region us allows no more n2-standard-2: QUOTA_EXCEEDED");
  }

  @Test
  void whatAPersonHasToMendNamesThePool() {
    b.job("reddit", 1);
    refuse(Refusal.Kind.DENIED, "forbidden");
    b.tick();

    assertThat(reasons("refused"))
        .singleElement()
        .asString()
        .contains("zone us-a makes no machine of pool cpu: forbidden");
  }

  /** Forty lanes remember at once: what another wrote between a read and a write counts too. */
  @Test
  void eachOfManyUnfitMachinesCounts() {
    var other = b.time.instant().minusSeconds(5);
    var rival =
        new Stockout(Stock.UNFIT, Stock.ofPool(b.cluster(), "cpu"), "theirs", List.of(other));
    b.job("reddit", 1);
    b.tick();
    var name = b.only().name();
    b.speak(name);
    var until = b.time.instant().plusSeconds(600);
    b.change(
        name,
        w ->
            w.troubled(Optional.of(SyncReport.UNFIT + "no driver"))
                .with(new WorkerState.Draining(b.time.instant(), "unfit", until)));

    new Rounds(b.on(interruptedBy(rival)), Rules.DEFAULT, "http://workers").tick();

    assertThat(b.ledger.read(rival.key()).orElseThrow().value().seen()).hasSize(2).contains(other);
  }

  /** The ledger, where somebody else stores this right before the first that would be stored. */
  private Ledger interruptedBy(Stockout rival) {
    var first = new AtomicBoolean(true);
    return (Ledger)
        Proxy.newProxyInstance(
            RefusalsTest.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (self, method, arguments) -> {
              if (method.getName().equals("commit")
                  && ((List<?>) arguments[0])
                      .stream().anyMatch(w -> ((Write) w).key() instanceof Key.OfStockout)
                  && first.getAndSet(false)) b.ledger.commit(List.of(new Write.Put(rival)));
              return method.invoke(b.ledger, arguments);
            });
  }
}
