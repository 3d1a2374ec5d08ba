package dev.mayfly.sim.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.Budget;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A cluster says what keeps machines from jobs, for as long as it does. */
class HeldJobsTest {
  private static final Map<String, Double> PRICES = Map.of("n2-standard-2", 10.0);

  private static ReconcileFixture with(Budget budget) {
    var b = new ReconcileFixture();
    b.apply(
        ReconcileFixture.spec(ReconcileFixture.pool(0, 3, ReconcileFixture.ZONE))
            .withBudget(budget),
        b.later());
    return b;
  }

  private static List<List<String>> told(ReconcileFixture b) {
    return List.of(
        b.views().cluster("lab").problems(),
        b.views().clusters().stream().map(ClusterStatus::problems).findFirst().orElseThrow());
  }

  @Test
  void monthThatIsSpentIsToldWhileJobsWait() {
    var b = with(new Budget(Optional.empty(), PRICES, Optional.of(30.0)));
    b.ledger.commit(List.of(new LedgerWrite.Put(new Usage.Month(b.uid, "2026-01", 12.5))));
    b.tick();
    assertThat(told(b)).allMatch(List::isEmpty);

    b.job("reddit", 1);
    for (var i = 0; i < 3; i++) b.tick();

    assertThat(b.workers()).isEmpty();
    assertThat(told(b))
        .allSatisfy(problems ->
            assertThat(problems)
                .singleElement()
                .asString()
                .contains(
                    "of the cluster's budget of $30.00 a month $12.50 are spent",
                    "raise budget.usdPerMonth",
                    "2026-02-01",
                    "job reddit waits for it"));
  }

  @Test
  void budgetOfTheHourIsTold() {
    var b = with(new Budget(Optional.of(5.0), PRICES, Optional.empty()));
    b.job("reddit", 1);
    b.job("other", 1);
    b.tick();

    assertThat(told(b))
        .allSatisfy(problems ->
            assertThat(problems)
                .singleElement()
                .asString()
                .contains("budget is $5.00 an hour", "and 1 other wait for it"));
  }

  @Test
  void lackOfStockIsToldOnce() {
    var b = new ReconcileFixture();
    var none = new Fleet.Refusal(Fleet.Refusal.Kind.CAPACITY, "NONE", "there is none");
    b.fleet.orders = Optional.of(_ -> new Fleet.Ordered.Refused(none));
    b.job("reddit", 1);
    b.tick();

    assertThat(told(b))
        .allSatisfy(problems ->
            assertThat(problems).singleElement().asString().contains("has no n2-standard-2"));
  }

  @Test
  void upSaysWhatTheMonthDoesNotCount() {
    var budget = new Budget(Optional.empty(), PRICES, Optional.of(30.0));
    var b = with(budget);
    b.ledger.commit(List.of(new LedgerWrite.Put(new Usage.Month(b.uid, "2026-01", 12.5))));
    b.takeDown();

    b.apply(
        ReconcileFixture.spec(ReconcileFixture.pool(0, 3, ReconcileFixture.ZONE))
            .withBudget(budget),
        b.later());

    assertThat(b.views().events("lab", Optional.of("cluster/lab"), 5).getFirst().why())
        .endsWith(
            "; its limit of $30.00 a month does not count the $12.50 that cluster lab of before cost in 2026-01 (UTC)");
  }
}
