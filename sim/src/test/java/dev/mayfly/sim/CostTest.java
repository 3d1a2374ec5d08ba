package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fake.Tally;
import org.junit.jupiter.api.Test;

/** What is promised of the bill, counted in virtual time. */
class CostTest {
  @Test
  void aTickOfAnIdleClusterReadsAtMostThirtyDocuments() {
    var tick = Metered.tick().counts();
    assertThat(tick.of(Tally.Kind.READ)).isBetween(3L, 30L);
  }
}
