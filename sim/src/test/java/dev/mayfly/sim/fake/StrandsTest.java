package dev.mayfly.sim.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StrandsTest {
  private final SimTime time = new SimTime(Instant.EPOCH);
  private final Strands strands = new Strands(time);
  private final Scope scope = new Scope("f1");
  private final List<String> seen = new ArrayList<>();

  @AfterEach
  void close() {
    strands.close();
  }

  /** A call that stands still so often, each time for so long. */
  private void call(String name, Duration at, Duration each, int times) {
    time.after(
        at,
        scope,
        () -> {
          for (var i = 0; i < times; i++) {
            seen.add(name + i);
            strands.pause(each);
          }
          seen.add(name + " ends");
        });
  }

  @Test
  void callsOfOneProcessAlternate() {
    strands.overlap(scope);
    call("a", Duration.ZERO, Duration.ofMillis(10), 3);
    call("b", Duration.ofMillis(5), Duration.ofMillis(10), 2);

    time.pass(Duration.ofSeconds(1));

    assertThat(seen).containsExactly("a0", "b0", "a1", "b1", "a2", "b ends", "a ends");
  }

  @Test
  void nothingGoesOnInProcessThatDied() {
    strands.overlap(scope);
    call("a", Duration.ZERO, Duration.ofMillis(10), 3);
    time.after(Duration.ofMillis(15), scope::kill);

    time.pass(Duration.ofSeconds(1));

    assertThat(seen).containsExactly("a0", "a1");
  }

  @Test
  void processThatStandsStillGoesOnLater() {
    strands.overlap(scope);
    call("a", Duration.ZERO, Duration.ofMillis(10), 1);
    time.after(Duration.ofMillis(5), scope::freeze);
    time.pass(Duration.ofSeconds(1));
    assertThat(seen).containsExactly("a0");

    scope.resume();
    time.pass(Duration.ofSeconds(1));

    assertThat(seen).containsExactly("a0", "a ends");
  }

  @Test
  void whatCallThrowsIsThrownByItsStep() {
    strands.overlap(scope);
    time.after(
        Duration.ZERO,
        scope,
        () -> {
          strands.pause(Duration.ofMillis(10));
          throw new IllegalStateException("broken");
        });

    assertThatThrownBy(() -> time.pass(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("broken");
  }

  @Test
  void onlyCallsThatOverlapCanStandStill() {
    call("a", Duration.ZERO, Duration.ofMillis(10), 1);

    assertThatThrownBy(() -> time.pass(Duration.ofSeconds(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(strands.inside()).isFalse();
  }
}
