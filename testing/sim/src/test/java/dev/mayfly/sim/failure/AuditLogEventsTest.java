package dev.mayfly.sim.failure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.reconcile.MachineEvent;
import dev.mayfly.sim.fixture.ScriptedWorld;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cloud's audit log speeds up replacement, and changes nothing else. */
class AuditLogEventsTest {
  private static ScriptedWorld running(long seed) {
    var scriptedWorld =
        ScriptedWorld.of(seed, 3, 5, ScriptedWorld.job(0, 12, 1, ofHours(1), false));
    scriptedWorld.until(() -> scriptedWorld.running().size() == 12, ofMinutes(15));
    return scriptedWorld.advance(ofSeconds(20 + seed));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void unannouncedPreemptionIsKnownWithinFiveSeconds(long seed) {
    var scriptedWorld = running(seed);
    scriptedWorld.world.gateway().log().on();
    var victim = scriptedWorld.host(scriptedWorld.running().getFirst().worker());

    scriptedWorld.world.fleet().preempt(victim.machine(), false, Duration.ZERO, true);

    assertThat(scriptedWorld.until(() -> scriptedWorld.lost() == 1, ofMinutes(2)))
        .isLessThan(ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void eventsAboutEarlierMachinesLoseNoWorker(long seed) {
    var scriptedWorld = running(seed);
    var log = scriptedWorld.world.gateway().log();
    log.on();

    for (var simHost : scriptedWorld.world.powered())
      for (var i = 0; i < 5; i++) log.ofAnother(simHost.machine());
    scriptedWorld.advance(ofMinutes(5));

    assertThat(scriptedWorld.lost()).isZero();
    assertThat(scriptedWorld.begun(12)).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void lateEventChangesNothing(long seed) {
    var scriptedWorld = running(seed);
    var victim = scriptedWorld.host(scriptedWorld.running().getFirst().worker());
    scriptedWorld.world.fleet().preempt(victim.machine(), false, Duration.ZERO, false);
    scriptedWorld.until(
        () -> scriptedWorld.lost() == 1 && scriptedWorld.running().size() == 12, ofMinutes(15));
    var begun = scriptedWorld.begun(12);

    var log = scriptedWorld.world.gateway().log();
    log.on();
    for (var i = 0; i < 3; i++) log.entry(victim.machine(), MachineEvent.Kind.PREEMPTED);
    scriptedWorld.advance(ofMinutes(5));

    assertThat(scriptedWorld.lost()).isEqualTo(1);
    assertThat(scriptedWorld.begun(12)).isEqualTo(begun);
  }
}
