package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.Schedule;
import org.junit.jupiter.api.Test;

/** What every scheduler owes those who call {@link Schedule}. */
public abstract class ScheduleContract {
  /** A schedule that runs; the same one at each call. */
  protected abstract Schedule schedule();

  @Test
  void ticksComeAtFirst() {
    assertThat(schedule().paused()).isFalse();
  }

  @Test
  void pausingIsSeenAndMayBeRepeated() {
    schedule().pause();
    schedule().pause();

    assertThat(schedule().paused()).isTrue();
  }

  @Test
  void resumingIsSeenAndMayBeRepeated() {
    schedule().pause();
    schedule().resume();
    schedule().resume();

    assertThat(schedule().paused()).isFalse();
  }

  @Test
  void whatRunsMayBeResumed() {
    schedule().resume();

    assertThat(schedule().paused()).isFalse();
  }
}
