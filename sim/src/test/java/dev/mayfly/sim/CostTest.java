package dev.mayfly.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fake.Tally;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is promised of the bill, counted in virtual time. */
class CostTest {
  @Test
  void aTickOfAnIdleClusterReadsAtMostThirtyDocuments() {
    var hour = Metered.idle(Duration.ofMinutes(60)).counts();

    var reads = hour.of(Tally.Kind.READ) + hour.of(Tally.Kind.LISTENED);
    assertThat(reads).isPositive().isLessThanOrEqualTo(60 * 30);
    assertThat(hour.of(Tally.Kind.SYNCED)).isZero();

    var tick = Metered.tick().counts();
    assertThat(tick.of(Tally.Kind.READ)).isBetween(3L, 30L);
  }
}
