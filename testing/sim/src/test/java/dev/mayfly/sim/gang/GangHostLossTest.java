package dev.mayfly.sim.gang;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host of a gang that freezes: how soon the task runs on other hosts. */
class GangHostLossTest {
  private static PoolSpec pool(String name, String type, int workers) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16 * ScriptedWorld.GIB),
        List.of("z-a"),
        Provisioning.SPOT,
        workers,
        workers,
        ofMinutes(30),
        ofHours(24),
        MachineSpec.PLAIN);
  }

  /** Freezes the last of {@code hosts} hosts, and waits until the task runs without its machine. */
  private static void freezeAndRunAgain(ScriptedWorld scriptedWorld, int hosts) {
    scriptedWorld.until(() -> scriptedWorld.running().size() == hosts, ofMinutes(40));
    scriptedWorld.advance(ofSeconds(20));
    var last = scriptedWorld.running().getLast();

    scriptedWorld.host(host(last)).freeze();
    scriptedWorld.until(
        () -> state(scriptedWorld, last.worker()) instanceof WorkerState.Lost, ofMinutes(4));
    var again =
        scriptedWorld.until(
            () ->
                scriptedWorld.running().stream()
                        .filter(p -> !p.worker().equals(last.worker()))
                        .count()
                    == hosts,
            ofMinutes(20));

    assertThat(again).isLessThan(ofSeconds(60));
    assertThat(scriptedWorld.world.truth().all(EventRecord.class))
        .filteredOn(event -> event.what().equals("requeued"))
        .extracting(EventRecord::why)
        .singleElement(STRING)
        .startsWith("task 0, on %d hosts: worker %s: ".formatted(hosts, last.worker()));
  }

  private static String host(TaskProcess process) {
    return process.worker() + (process.host() == 0 ? "" : "/" + process.host());
  }

  private static WorkerState state(ScriptedWorld scriptedWorld, String worker) {
    return scriptedWorld.workers().stream()
        .filter(w -> w.name().equals(worker))
        .findFirst()
        .orElseThrow()
        .state();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void frozenGangHostIsReplacedWithinAMinute(long seed) {
    var job = ScriptedWorld.on("cpu", 2, ScriptedWorld.job(0, 1, 2, ofHours(1), false));
    freezeAndRunAgain(
        ScriptedWorld.of(
            CoreControlPlane::new, seed, List.of(pool("cpu", "n2-standard-4", 3)), job),
        2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void frozenSliceIsReplacedWithinAMinute(long seed) {
    var job = ScriptedWorld.on("pod", 0, ScriptedWorld.job(0, 1, 1, ofHours(1), false));
    freezeAndRunAgain(
        ScriptedWorld.of(CoreControlPlane::new, seed, List.of(pool("pod", "v4-32", 2)), job), 4);
  }
}
