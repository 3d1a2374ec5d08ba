package dev.mayfly.sim;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.fake.UsageCounter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Cost guarantees, counted in virtual time. */
class CostTest {
  @Test
  void idleTickReadsAtMostThirtyDocuments() {
    var tick = CostSimulation.tick().counts();
    assertThat(tick.of(UsageCounter.Kind.READ)).isBetween(3L, 30L);
  }

  /** Three instances share the events: none ends a machine that another one has launched. */
  @Test
  void replacesTakenMachinesOnceAndWithFewReads() {
    var every = Duration.ofSeconds(5);
    var window = Duration.ofMinutes(4);
    var taken = window.dividedBy(every);
    var minutes =
        CostSimulation.preempted(60, 3, ofMinutes(5), ofMinutes(8), window, every, false).counts();

    assertThat(minutes.of(UsageCounter.Kind.PUBLISHED)).isLessThan(2 * taken);
    // Each of the 60 workers is read in 4 ticks, and in about as many reconciles of an instance
    // with a stale cache.
    assertThat(minutes.of(UsageCounter.Kind.READ)).isLessThan(4_000);
  }
}
