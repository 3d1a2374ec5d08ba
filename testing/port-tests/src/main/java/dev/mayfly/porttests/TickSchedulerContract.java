package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.TickScheduler;
import org.junit.jupiter.api.Test;

/** The contract of {@link TickScheduler}. */
public abstract class TickSchedulerContract {
  /** A running schedule; always the same. */
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
  void runningScheduleMayBeResumed() {
    schedule().resume();

    assertThat(schedule().paused()).isFalse();
  }
}
