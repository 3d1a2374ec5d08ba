package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.TickScheduler;
import org.junit.jupiter.api.Test;

/** What every scheduler owes those who call {@link TickScheduler}. */
public abstract class TickSchedulerContract {
  /** A schedule that runs; the same one at each call. */
  protected abstract TickScheduler schedule();

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
