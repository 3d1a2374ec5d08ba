package dev.mayfly.core.plan.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.document.JobQueue.OwnerUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PastUseTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration DAY = Duration.ofHours(24);

  private static double after(OwnerUse use, Duration span) {
    return PastUse.at(use, DAY, T0.plus(span));
  }

  @Test
  void halfIsForgottenAfterAHalfLife() {
    var stopped = new OwnerUse("ada", 8, 0, T0);
    var begun = new OwnerUse("bob", 0, 8, T0);

    assertThat(after(stopped, DAY)).isEqualTo(4, within(1e-9));
    assertThat(after(stopped, DAY.multipliedBy(3))).isEqualTo(1, within(1e-9));
    assertThat(after(begun, DAY)).isEqualTo(4, within(1e-9));
    assertThat(after(new OwnerUse("cat", 8, 8, T0), DAY.multipliedBy(9)))
        .isEqualTo(8, within(1e-9));
    assertThat(after(stopped, DAY.negated())).as("a clock that is behind").isEqualTo(8);
  }

  /** Counts at any times between two changes leave the same. */
  @Test
  void lateAndRepeatedCountsChangeNothing() {
    for (var seed = 0; seed < 500; seed++) {
      var random = new SplittableRandom(seed);
      var often = List.<OwnerUse>of();
      var rarely = List.<OwnerUse>of();
      var now = T0;
      for (var change = 0; change < 6; change++) {
        var runs = Map.of("ada", random.nextDouble() * 9, "bob", random.nextInt(3) * 1.0);
        rarely = PastUse.counted(rarely, runs, DAY, now);
        for (var i = random.nextInt(1, 9); i > 0; i--) {
          often = PastUse.counted(often, runs, DAY, now);
          if (random.nextInt(3) > 0) now = now.plusSeconds(random.nextInt(20_000));
        }
      }
      var then = now.plusSeconds(3_000);
      var one = new TreeMap<>(PastUse.at(often, Optional.of(DAY), then));
      PastUse.at(rarely, Optional.of(DAY), then)
          .forEach((owner, average) ->
              assertThat(one.getOrDefault(owner, 0.0)).isEqualTo(average, within(1e-2)));
    }
  }

  @Test
  void forgottenOwnersGoAndMostStay() {
    var longAgo = List.of(new OwnerUse("ada", 1, 0, T0), new OwnerUse("bob", 1_024, 0, T0));
    assertThat(PastUse.counted(longAgo, Map.of(), DAY, T0.plus(DAY.multipliedBy(11))))
        .extracting(OwnerUse::owner)
        .containsExactly("bob");

    var many = new HashMap<String, Double>();
    for (var i = 1; i <= 300; i++) many.put("owner-" + i, i * 1.0);
    assertThat(PastUse.counted(List.of(), many, DAY, T0))
        .hasSize(PastUse.MOST)
        .allMatch(use -> use.running() > 100);
  }

  /**
   * Nobody waits longer than the rule says: a half-life for each doubling from their shares to
   * everybody's.
   */
  @Test
  void nobodyStarves() {
    for (var seed = 0; seed < 200; seed++) {
      var world = new SharedSlots(seed);
      world.run();
      assertThat(world.longestWait()).as("seed %d", seed).isLessThanOrEqualTo(world.bound());
    }
  }

  /** Some slots that one owner had for long, and others who come and want all of them. */
  private static final class SharedSlots {
    private static final Duration STEP = Duration.ofMinutes(5);
    private final SplittableRandom random;
    private final Map<String, Double> weights = new TreeMap<>();
    private final List<String> slots = new ArrayList<>();
    private final Map<String, Long> waits = new HashMap<>();
    private long longest;

    SharedSlots(long seed) {
      random = new SplittableRandom(seed);
      weights.put("first", random.nextInt(1, 4) * 1.0);
      for (var i = random.nextInt(1, 5); i > 0; i--)
        weights.put("owner-" + i, random.nextInt(1, 9) * 1.0);
      for (var i = weights.size() + random.nextInt(20); i > 0; i--) slots.add("first");
    }

    long longestWait() {
      return longest;
    }

    /** In steps; what ends, and what is counted, is a step late each. */
    long bound() {
      var all = weights.values().stream().mapToDouble(w -> w).sum();
      var least = weights.values().stream().mapToDouble(w -> w).min().orElseThrow();
      var halfLives = Math.log(all / least) / Math.log(2);
      return 4 + Math.round(halfLives * DAY.toMinutes() / STEP.toMinutes());
    }

    void run() {
      var spec = new FairShareSpec(weights, Optional.of(DAY));
      var uses = List.of(new OwnerUse("first", slots.size(), slots.size(), T0));
      var now = T0;
      for (var step = 0; step < 2_000; step++) {
        now = now.plus(STEP);
        var rule = new FairShareRule(spec, List.of(), PastUse.at(uses, Optional.of(DAY), now));
        var running = new TreeMap<String, Double>();
        slots.forEach(owner -> running.merge(owner, 1.0, Double::sum));
        for (var i = 0; i < slots.size(); i++) {
          running.merge(slots.get(i), -1.0, Double::sum);
          var next =
              weights.keySet().stream()
                  .min(Comparator.comparingDouble(o -> rule.level(o, running.getOrDefault(o, 0.0))))
                  .orElseThrow();
          slots.set(i, next);
          running.merge(next, 1.0, Double::sum);
        }
        for (var owner : weights.keySet()) {
          if (slots.contains(owner)) waits.put(owner, 0L);
          else longest = Math.max(longest, waits.merge(owner, 1L, Long::sum));
        }
        uses = PastUse.counted(uses, running, DAY, now);
      }
    }
  }
}
