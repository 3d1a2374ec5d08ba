package dev.mayfly.sim;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.MachineEvent;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the cloud writes down of its machines makes it fast, and changes nothing else. */
class EventsTest {
  private static Stage running(long seed) {
    var stage = Stage.of(seed, 3, 5, Stage.job(0, 12, 1, ofHours(1), false));
    stage.until(() -> stage.running().size() == 12, ofMinutes(15));
    return stage.pass(ofSeconds(20 + seed));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aMachineThatIsTakenWithoutNoticeIsKnownToBeLostWithinFiveSeconds(long seed) {
    var stage = running(seed);
    stage.world.gateway().log().on();
    var victim = stage.host(stage.running().getFirst().worker());

    stage.world.fleet().preempt(victim.machine(), false, Duration.ZERO, true);

    assertThat(stage.until(() -> stage.lost() == 1, ofMinutes(2))).isLessThan(ofSeconds(5));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void eventsAboutEarlierMachinesLoseNobodyHoweverManyCome(long seed) {
    var stage = running(seed);
    var log = stage.world.gateway().log();
    log.on();

    for (var host : stage.world.powered())
      for (var i = 0; i < 5; i++) log.ofAnother(host.machine());
    stage.pass(ofMinutes(5));

    assertThat(stage.lost()).isZero();
    assertThat(stage.begun(12)).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anEventThatComesWhenAllIsOverChangesNothing(long seed) {
    var stage = running(seed);
    var victim = stage.host(stage.running().getFirst().worker());
    stage.world.fleet().preempt(victim.machine(), false, Duration.ZERO, false);
    stage.until(() -> stage.lost() == 1 && stage.running().size() == 12, ofMinutes(15));
    var begun = stage.begun(12);

    var log = stage.world.gateway().log();
    log.on();
    for (var i = 0; i < 3; i++) log.entry(victim.machine(), MachineEvent.Kind.PREEMPTED);
    stage.pass(ofMinutes(5));

    assertThat(stage.lost()).isEqualTo(1);
    assertThat(stage.begun(12)).isEqualTo(begun);
  }
}
