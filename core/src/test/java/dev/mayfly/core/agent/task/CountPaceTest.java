package dev.mayfly.core.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountPaceTest {
  private static final ClockReading START = new ClockReading(Instant.EPOCH, 0);

  private final CountPace pace = new CountPace();

  private void read(double step, long seconds) {
    pace.read(
        Map.of("step", step, "total_steps", 1_000.0), START.plus(Duration.ofSeconds(seconds)));
  }

  @Test
  void firstCountTellsNothing() {
    read(100, 30);
    assertThat(pace.secondsEach()).isEmpty();
  }

  /** It began with step 100, of an earlier attempt, after half a minute. */
  @Test
  void resumedAttemptCountsFromItsFirst() {
    read(100, 30);
    read(110, 50);
    assertThat(pace.secondsEach()).contains(2.0);
  }

  /** The last step was read late: it did not take longer for that. */
  @Test
  void countThatStandsChangesNothing() {
    read(0, 0);
    read(10, 20);
    read(10, 500);
    assertThat(pace.secondsEach()).contains(2.0);
  }

  @Test
  void countThatGoesBackBeginsAnew() {
    read(500, 0);
    read(510, 5);
    read(0, 10);
    assertThat(pace.secondsEach()).isEmpty();
    read(5, 20);
    assertThat(pace.secondsEach()).contains(2.0);
  }

  @Test
  void valuesWithoutCountAreNoCount() {
    read(0, 0);
    pace.read(Map.of("loss", 0.5), START.plus(Duration.ofSeconds(5)));
    read(10, 10);
    assertThat(pace.secondsEach()).contains(1.0);
  }
}
