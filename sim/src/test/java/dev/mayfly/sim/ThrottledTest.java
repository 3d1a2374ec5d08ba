package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing waits for a tick where function instances have no processor between calls. */
class ThrottledTest {
  private static final int WARM = 5;

  private static Stage running(long seed) {
    var stage =
        Stage.of(ThrottledPlane::new, seed, WARM, 10, Stage.job(0, 4 * WARM, 1, ofHours(1), false));
    stage.until(() -> stage.running().size() == 4 * WARM, ofMinutes(15));
    // Not shortly before a tick.
    var second = stage.now().getEpochSecond() % 60;
    return stage.pass(ofSeconds(65 - second));
  }

  private static long live(Stage stage) {
    return stage.workers().stream().filter(w -> w.state().live()).count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void replacesMachinesTakenShortlyAfterEachOther(long seed) {
    var stage = running(seed);
    stage.world.gateway().log().on();
    var victims = stage.world.powered();

    for (var victim : victims) {
      stage.world.fleet().preempt(victim.machine(), false, Duration.ZERO, false);
      stage.pass(ofMillis(300));
    }
    stage.until(() -> stage.lost() == WARM, ofMinutes(2));

    assertThat(stage.until(() -> live(stage) == WARM, ofMinutes(2))).isLessThan(ofSeconds(4));
  }
}
