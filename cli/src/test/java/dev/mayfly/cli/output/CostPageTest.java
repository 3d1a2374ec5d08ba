package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CostPageTest {
  private static final Screen NARROW = TestScreen.of(System.out, System.err, true, false, 80);

  @Test
  void groupsAddUpToTotalAndSayWaste() {
    assertThat(CostPage.title(CostFixtures.cost(), NARROW))
        .containsExactly(
            "cluster lab since 2026-05-01 (UTC): $12.80 for 129 machine hours",
            "now $0.30 an hour for 3 machines",
            "waste: $4.30, 34 % of all cost: $2.00 unused machines or parts of them, $1.50",
            "  attempts lost to preemptions, $0.50 failed attempts, $0.30 boots, $0.003 ends",
            "  of machines");
    assertThat(CostPage.table(CostFixtures.cost()).lines(NARROW))
        .containsExactly(
            "JOB         COST  HOURS  TASKS   LOST  FAILED  UNUSED   BOOT     END",
            "reddit    $10.50    105  $8.50  $1.50   $0.50       -      -       -",
            "(no job)   $2.30     24      -      -       -   $2.00  $0.30  $0.003",
            "total     $12.80    129  $8.50  $1.50   $0.50   $2.00  $0.30  $0.003");
  }

  @Test
  void unknownPriceIsNoZero() {
    var cost = CostFixtures.unpriced();

    assertThat(CostPage.title(cost, NARROW))
        .containsExactly(
            "cluster lab since 2026-05-01 (UTC): no known price for 4 machine hours",
            "now 2 machines without a known price");
    assertThat(CostPage.table(cost).lines(NARROW).getLast()).startsWith("total     -      4");
    assertThat(CostPage.notes(cost))
        .contains(
            "4 machine hours have no price and are not in the sums; budget.prices in the cluster's file gives one",
            "left out: worker lab-cpu-x cannot be read");
  }

  @Test
  void costOfJobIsBesideItsLimit() {
    assertThat(CostPage.jobLine(CostFixtures.cost(), Optional.of(25.0)))
        .isEqualTo(
            "$12.80 of its maxUsd of $25.00 for 129 machine hours of its tasks, $1.50 of it for lost attempts, $0.50 of it for attempts that failed or were stopped");
    assertThat(CostPage.jobLine(CostFixtures.cost(), Optional.empty()))
        .startsWith("$12.80 for 129");
  }

  @Test
  void laptopSaysThatNothingIsCharged() {
    assertThat(CostPage.notes(CostFixtures.cost().inWords(true)).getFirst())
        .startsWith("the laptop cloud charges nothing");
    assertThat(CostPage.notes(CostFixtures.cost()).getFirst()).startsWith("prices are those");
  }

  /** From an older control plane, too, there are sums. */
  @Test
  void answerWithoutSentencesHasItsTable() {
    var cost = CostFixtures.unworded();

    assertThat(CostPage.title(cost, NARROW)).isEmpty();
    assertThat(CostPage.notes(cost)).isEmpty();
    assertThat(CostPage.table(cost).lines(NARROW)).hasSize(4);
  }
}
