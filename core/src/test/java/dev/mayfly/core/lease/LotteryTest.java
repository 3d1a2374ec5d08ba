package dev.mayfly.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Turns;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LotteryTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final int DRAWS = 10_000;

  private static Turns.Row row(String owner, String job, int priority, int age, int weight) {
    return new Turns.Row(
        job,
        job,
        owner,
        priority,
        T0.minusSeconds(age),
        Resources.ZERO,
        Place.ANYWHERE,
        false,
        weight,
        Optional.empty(),
        0,
        Optional.empty(),
        1);
  }

  private static Map<String, Integer> draws(List<Turns.Row> band) {
    var won = new HashMap<String, Integer>();
    for (var i = 0; i < DRAWS; i++)
      won.merge(
          Lottery.draw(band, _ -> true, "w-" + i % 7 + " " + i).orElseThrow().job(),
          1,
          Integer::sum);
    return won;
  }

  @Test
  void equalOwnersWinEquallyOftenHoweverManyJobsTheyHave() {
    var won =
        draws(
            List.of(
                row("ada", "a1", 50, 9, 1_024),
                row("ada", "a2", 50, 8, 1_024),
                row("bob", "b1", 50, 1, 1_024)));

    assertThat(won.keySet()).containsExactlyInAnyOrder("a1", "b1");
    assertThat(won.get("a1")).isBetween(DRAWS * 48 / 100, DRAWS * 52 / 100);
  }

  @Test
  void anOwnerWinsAsOftenAsItsWeightSays() {
    var won = draws(List.of(row("ada", "a", 50, 9, 1_024), row("bob", "b", 50, 1, 3 * 1_024)));

    assertThat(won.get("b")).isBetween(DRAWS * 73 / 100, DRAWS * 77 / 100);
  }

  @Test
  void whatTheWorkerCannotTakeIsNotDrawn() {
    var band = List.of(row("ada", "a", 50, 9, 1_024), row("bob", "b", 50, 1, 1_024));

    assertThat(Lottery.draw(band, r -> r.job().equals("b"), "x")).map(Turns.Row::job).hasValue("b");
    assertThat(Lottery.draw(band, _ -> false, "x")).isEmpty();
  }

  @Test
  void eachPriorityIsABandAndOneOwnerAloneDrawsNothing() {
    var low = row("ada", "low", 10, 9, 1_024);
    var high = row("bob", "high", 90, 1, 1_024);
    var older = row("ada", "older", 90, 2, 1_024);

    assertThat(Lottery.bands(List.of(low, high, older)))
        .containsExactly(List.of(older, high), List.of(low));
    assertThat(Lottery.shared(List.of(older, high))).isTrue();
    assertThat(Lottery.shared(List.of(older, low))).isFalse();
  }
}
