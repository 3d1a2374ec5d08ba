package dev.mayfly.sim.failure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.sim.control.ThrottledControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing waits for a tick where function instances have no CPU between calls. */
class CpuThrottlingTest {
  private static final int WARM = 5;

  private static ScriptedWorld running(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(
            ThrottledControlPlane::new,
            seed,
            WARM,
            10,
            ScriptedWorld.job(0, 4 * WARM, 1, ofHours(1), false));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 4 * WARM, ofMinutes(15));
    // Not shortly before a tick.
    var second = scriptedWorld.now().getEpochSecond() % 60;
    return scriptedWorld.advance(ofSeconds(65 - second));
  }

  private static long live(ScriptedWorld scriptedWorld) {
    return scriptedWorld.workers().stream().filter(w -> w.state().live()).count();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void replacesMachinesTakenShortlyAfterEachOther(long seed) {
    var scriptedWorld = running(seed);
    scriptedWorld.world.gateway().log().on();
    var victims = scriptedWorld.world.powered();

    for (var victim : victims) {
      scriptedWorld.world.fleet().preempt(victim.machine(), false, Duration.ZERO, false);
      scriptedWorld.advance(ofMillis(300));
    }
    scriptedWorld.until(() -> scriptedWorld.lost() == WARM, ofMinutes(2));

    assertThat(scriptedWorld.until(() -> live(scriptedWorld) == WARM, ofMinutes(2)))
        .isLessThan(ofSeconds(4));
  }
}
