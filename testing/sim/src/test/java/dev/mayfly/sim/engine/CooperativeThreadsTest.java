package dev.mayfly.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CooperativeThreadsTest {
  private final SimTime time = new SimTime(Instant.EPOCH);
  private final CooperativeThreads cooperativeThreads = new CooperativeThreads(time);
  private final SimProcess simProcess = new SimProcess("f1");
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void close() {
    cooperativeThreads.close();
  }

  /** A call that pauses {@code times} times for {@code each}. */
  private void call(String name, Duration at, Duration each, int times) {
    time.after(
        at,
        simProcess,
        () -> {
          for (var i = 0; i < times; i++) {
            seen.add(name + i);
            cooperativeThreads.pause(each);
          }
          seen.add(name + " ends");
        });
  }

  @Test
  void callsOfOneProcessAlternate() {
    cooperativeThreads.overlap(simProcess);
    call("a", Duration.ZERO, Duration.ofMillis(10), 3);
    call("b", Duration.ofMillis(5), Duration.ofMillis(10), 2);

    time.advance(Duration.ofSeconds(1));

    assertThat(seen).containsExactly("a0", "b0", "a1", "b1", "a2", "b ends", "a ends");
  }

  @Test
  void deadProcessRunsNothing() {
    cooperativeThreads.overlap(simProcess);
    call("a", Duration.ZERO, Duration.ofMillis(10), 3);
    time.after(Duration.ofMillis(15), simProcess::kill);

    time.advance(Duration.ofSeconds(1));

    assertThat(seen).containsExactly("a0", "a1");
  }

  @Test
  void frozenProcessContinuesLater() {
    cooperativeThreads.overlap(simProcess);
    call("a", Duration.ZERO, Duration.ofMillis(10), 1);
    time.after(Duration.ofMillis(5), simProcess::freeze);
    time.advance(Duration.ofSeconds(1));
    assertThat(seen).containsExactly("a0");

    simProcess.resume();
    time.advance(Duration.ofSeconds(1));

    assertThat(seen).containsExactly("a0", "a ends");
  }

  @Test
  void stepRethrowsExceptionOfCall() {
    cooperativeThreads.overlap(simProcess);
    time.after(
        Duration.ZERO,
        simProcess,
        () -> {
          cooperativeThreads.pause(Duration.ofMillis(10));
          throw new IllegalStateException("broken");
        });

    assertThatThrownBy(() -> time.advance(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
  }

  @Test
  void onlyOverlappingCallsCanPause() {
    call("a", Duration.ZERO, Duration.ofMillis(10), 1);

    assertThatThrownBy(() -> time.advance(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(cooperativeThreads.inside()).isFalse();
  }
}
