package dev.mayfly.sim.failure;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fixture.ScriptedWorld;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How machines ended is known of those that are gone. */
class EndingsTest {
  private static ScriptedWorld running() {
    var world = ScriptedWorld.of(5, 0, 1, ScriptedWorld.job(0, 1, 2, ofMinutes(10), false));
    world.until(() -> !world.running().isEmpty(), ofMinutes(20));
    return world;
  }

  private static Optional<Ending> gone(ScriptedWorld world, String name) {
    world.until(
        () -> world.world.truth().all(Worker.class).stream().anyMatch(w -> isGone(w, name)),
        ofHours(2));
    return world.world.truth().all(Worker.class).stream()
        .filter(w -> isGone(w, name))
        .findFirst()
        .flatMap(w -> ((WorkerState.Gone) w.state()).ending());
  }

  private static boolean isGone(Worker worker, String name) {
    return worker.name().startsWith(name) && worker.state() instanceof WorkerState.Gone;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void machineThatCloudTookWasPreempted(boolean notice) {
    var world = running();
    var name = world.running().getFirst().worker();

    world.world.fleet().preempt(world.host(name).machine(), notice, ofSeconds(1), !notice);

    assertThat(gone(world, name)).hasValue(Ending.PREEMPTED);
  }

  @Test
  void machineThatFellSilentWasLost() {
    var world = running();
    var name = world.running().getFirst().worker();

    world.host(name).freeze();

    assertThat(gone(world, name)).hasValue(Ending.LOST);
  }

  @Test
  void machineWithoutWorkWasGivenBack() {
    var world = running();
    var name = world.running().getFirst().worker();

    assertThat(gone(world, name)).hasValue(Ending.GIVEN_BACK);
  }

  @Test
  void machineThatCloudRefusedNeverWas() {
    var world = ScriptedWorld.of(5, 0, 1, ScriptedWorld.job(0, 1, 2, ofMinutes(10), false));
    world.world.fleet().stock("z-a", 0);

    assertThat(gone(world, "")).hasValue(Ending.REFUSED);
  }
}
