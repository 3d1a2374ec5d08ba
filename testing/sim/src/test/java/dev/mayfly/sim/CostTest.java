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

  /** The topic of ticks has two functions, and each gets every message. */
  @Test
  void tickWakesAutoscaleAndCleanup() {
    var tick = CostSimulation.tick().counts();

    assertThat(tick.of(UsageCounter.Kind.PUBLISHED)).isEqualTo(1);
    assertThat(tick.of(UsageCounter.Kind.DELIVERED)).isEqualTo(2);
    assertThat(tick.events())
        .containsEntry("autoscale", Duration.ofMillis(500))
        .containsEntry("cleanup", Duration.ofMillis(1_500));
  }

  @Test
  void sweepWakesAutoscaleForNothing() {
    var sweeps = CostSimulation.paused(2).counts();

    assertThat(sweeps.of(UsageCounter.Kind.DELIVERED)).isEqualTo(4);
    assertThat(sweeps.events().get("autoscale")).isEqualTo(Duration.ofMillis(200));
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
