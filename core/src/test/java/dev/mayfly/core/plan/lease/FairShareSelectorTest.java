package dev.mayfly.core.plan.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.share.FairShareRule;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairShareSelectorTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");

  private static JobQueue.Row row(String owner, String job, int priority, int age, long running) {
    return new JobQueue.Row(
        job,
        job,
        owner,
        priority,
        T0.minusSeconds(age),
        Resources.ZERO,
        Placement.ANYWHERE,
        false,
        running,
        Optional.empty(),
        0,
        Optional.empty(),
        1,
        List.of(),
        Optional.empty());
  }

  private static String next(List<JobQueue.Row> band, Map<String, Long> since, int instances) {
    return new FairShareSelector(band, since, instances, FairShareRule.EQUAL)
        .next(_ -> true, Optional.empty(), "x")
        .orElseThrow()
        .job();
  }

  @Test
  void ownerWithFewestTasksIsNext() {
    var band =
        List.of(row("ada", "a1", 50, 9, 3), row("ada", "a2", 50, 8, 2), row("bob", "b1", 50, 1, 4));

    assertThat(next(band, Map.of(), 1)).isEqualTo("b1");
  }

  @Test
  void threeSharesGetThreeTasksForOne() {
    var band = List.of(row("ada", "a", 50, 9, 0), row("bob", "b", 50, 1, 0));
    var rule =
        new FairShareRule(
            new FairShareSpec(Map.of("ada", 3.0), Optional.empty()), List.of(), Map.of());
    var shares = new FairShareSelector(band, Map.of(), 1, rule);
    var got = new HashMap<String, Integer>();
    for (var i = 0; i < 40; i++) {
      var next = shares.next(_ -> true, Optional.empty(), "w " + i).orElseThrow();
      shares.addRunning(next, 1);
      got.merge(next.owner(), 1, Integer::sum);
    }

    assertThat(got).containsOnly(Map.entry("ada", 30), Map.entry("bob", 10));
  }

  @Test
  void theOldestJobOfAnOwnerGoesFirst() {
    var band =
        List.of(row("ada", "a1", 50, 9, 0), row("ada", "a2", 50, 8, 0), row("bob", "b1", 50, 1, 4));

    assertThat(next(band, Map.of(), 1)).isEqualTo("a1");
  }

  @Test
  void roomGoesBackToTheOwnerThatLostIt() {
    var even = List.of(row("ada", "a", 50, 9, 4), row("bob", "b", 50, 1, 4));

    assertThat(next(even, Map.of("b", -1L), 1)).isEqualTo("b");
    assertThat(next(even, Map.of("a", -1L), 1)).isEqualTo("a");
  }

  @Test
  void eachInstanceClosesItsPartOfTheGap() {
    var band = List.of(row("ada", "a", 50, 9, 400), row("bob", "b", 50, 1, 0));
    var shares = new FairShareSelector(band, Map.of("a", -10L, "b", 9L), 20, FairShareRule.EQUAL);

    assertThat(shares.next(_ -> true, Optional.empty(), "x")).map(JobQueue.Row::job).hasValue("b");
    shares.addRunning(band.get(1), 2);
    assertThat(shares.next(_ -> true, Optional.empty(), "x")).map(JobQueue.Row::job).hasValue("a");
  }

  @Test
  void lotsDecideBetweenEqualsFairly() {
    var shares =
        new FairShareSelector(
            List.of(row("ada", "a", 50, 9, 0), row("bob", "b", 50, 1, 0)),
            Map.of(),
            1,
            FairShareRule.EQUAL);
    var won = new HashMap<String, Integer>();
    for (var i = 0; i < 10_000; i++)
      won.merge(
          shares.next(_ -> true, Optional.empty(), "w-" + i % 7 + " " + i).orElseThrow().job(),
          1,
          Integer::sum);

    assertThat(won.get("a")).isBetween(4_800, 5_200);
  }

  @Test
  void unsuitableJobIsNotServed() {
    var shares =
        new FairShareSelector(
            List.of(row("ada", "a", 50, 9, 0), row("bob", "b", 50, 1, 9)),
            Map.of(),
            1,
            FairShareRule.EQUAL);

    assertThat(shares.next(r -> r.job().equals("b"), Optional.empty(), "x"))
        .map(JobQueue.Row::job)
        .hasValue("b");
    assertThat(shares.next(_ -> false, Optional.empty(), "x")).isEmpty();
  }

  @Test
  void eachPriorityIsABandOfItsOwn() {
    var low = row("ada", "low", 10, 9, 0);
    var high = row("bob", "high", 90, 1, 0);
    var older = row("ada", "older", 90, 2, 0);

    assertThat(FairShareSelector.byPriority(List.of(low, high, older)))
        .containsExactly(List.of(older, high), List.of(low));
    assertThat(FairShareSelector.hasSeveralOwners(List.of(older, high))).isTrue();
    assertThat(FairShareSelector.hasSeveralOwners(List.of(older, low))).isFalse();
  }

  @Test
  void newMachineServesItsOwnersJobFirst() {
    var band =
        List.of(row("ada", "a", 50, 3, 0), row("ada", "b", 50, 2, 0), row("bob", "c", 50, 1, 0));
    var shares = new FairShareSelector(band, Map.of("c", 9L), 1, FairShareRule.EQUAL);

    assertThat(shares.next(_ -> true, Optional.of("b"), "x")).map(JobQueue.Row::job).hasValue("b");
    // Between owners, the one with the fewest running tasks goes first all the same.
    assertThat(shares.next(_ -> true, Optional.of("c"), "x")).map(JobQueue.Row::job).hasValue("a");
  }
}
