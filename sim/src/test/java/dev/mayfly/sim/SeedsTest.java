package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Storms of many seeds; every invariant after every step. {@code -Plong} runs more of them. */
class SeedsTest {
  /**
   * A drain that passes its deadline comes about once in 300 worlds; {@code RoundsTest} and the
   * table of workers look at it in any case.
   */
  private static final Set<String> BY_CHANCE = Set.of("WORKER_OVERDUE");

  private static final int SEEDS = Integer.getInteger("mayfly.sim.seeds", 130);

  @Test
  void noSeedBreaksAnInvariantAndEveryFaultAndRareBranchIsSeen() {
    var seeds = Seeds.run(1, SEEDS, PlantedBug.NONE);

    System.out.println(seeds.table());
    seeds.failures().stream()
        .findFirst()
        .ifPresent(f -> {
          throw new AssertionError(Shrink.story(f, PlantedBug.NONE), f.violation().orElseThrow());
        });
    assertThat(seeds.seen())
        .as("seen at least once")
        .noneSatisfy((what, n) -> {
          assertThat(n).isZero();
          assertThat(what).isNotIn(BY_CHANCE);
        });
  }
}
