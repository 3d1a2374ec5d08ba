package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.port.ScheduledExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link ScheduledExecutor}. */
public abstract class ScheduledExecutorContract {
  private final BlockingQueue<String> rung = new LinkedBlockingQueue<>();

  /** The executor under test; always the same. */
  protected abstract ScheduledExecutor executor();

  /** The executor's current time. */
  protected abstract Instant now();

  /** The next alarm that fires. Advances virtual time. */
  protected abstract String next(BlockingQueue<String> rung) throws InterruptedException;

  @Test
  void alarmDoesNotFireEarly() throws InterruptedException {
    var when = now().plusMillis(50);
    executor().callAt(when, () -> rung.add(now().isBefore(when) ? "early" : "in time"));

    assertThat(next(rung)).isEqualTo("in time");
  }

  /** A day, because on a real clock any shorter time may pass before the second alarm is set. */
  @Test
  void earlierAlarmDoesNotWaitForLater() throws InterruptedException {
    var now = now();
    executor().callAt(now.plus(Duration.ofDays(1)), () -> rung.add("later"));
    executor().callAt(now.plusMillis(20), () -> rung.add("sooner"));

    assertThat(next(rung)).isEqualTo("sooner");
    assertThat(rung).isEmpty();
  }

  @Test
  void pastAlarmFiresAtOnce() throws InterruptedException {
    executor().callAt(now().minus(Duration.ofDays(1)), () -> rung.add("rung"));

    assertThat(next(rung)).isEqualTo("rung");
  }

  @Test
  void waitEndsAtItsTimeOrReturnsFalse() {
    var when = now().plusMillis(50);

    assertThat(executor().waitUntil(when)).isEqualTo(!now().isBefore(when));
  }

  @Test
  void allTasksRunAndFirstFailureIsThrown() {
    var ran = new ConcurrentLinkedQueue<Integer>();
    var tasks = IntStream.range(0, 40).<Runnable>mapToObj(i -> () -> ran.add(i)).toList();

    executor().runAll(tasks);
    assertThat(ran).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 40).boxed().toList());

    ran.clear();
    Runnable fails =
        () -> {
          throw new IllegalStateException("planted");
        };
    assertThatThrownBy(() -> executor().runAll(List.of(fails, () -> ran.add(1))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("planted");
    assertThat(ran).containsExactly(1);
  }
}
