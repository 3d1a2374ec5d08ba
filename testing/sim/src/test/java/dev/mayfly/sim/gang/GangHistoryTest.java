package dev.mayfly.sim.gang;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.state.Context;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.observation.TaskProcess;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The machines of a gang's attempts that are over. */
class GangHistoryTest {
  private static final PoolSpec POOL =
      new PoolSpec(
          "cpu",
          "n2-standard-4",
          Resources.cpu(4, 16 * ScriptedWorld.GIB),
          List.of("z-a"),
          Provisioning.SPOT,
          3,
          3,
          ofMinutes(30),
          ofHours(24),
          MachineSpec.PLAIN);

  private final List<Context> contexts = new ArrayList<>();
  private final ScriptedWorld scriptedWorld =
      ScriptedWorld.of(
          (context, instance) -> {
            contexts.add(context);
            return new CoreControlPlane(context, instance);
          },
          1,
          List.of(POOL),
          ScriptedWorld.on("cpu", 2, ScriptedWorld.job(0, 2, 4, ofMinutes(5), false)));

  private StatusQueries queries() {
    return new StatusQueries(contexts.getFirst());
  }

  private String job() {
    return scriptedWorld.world.truth().all(Job.class).getFirst().uid();
  }

  private TaskStatus task() {
    return queries().task("lab", job(), 0);
  }

  private List<String> listed() {
    var request = new TaskRequest(Optional.empty(), 0, 10);
    return queries().tasks("lab", job(), request).tasks().getFirst().workers();
  }

  private List<String> running() {
    return scriptedWorld.running().stream().map(TaskProcess::worker).toList();
  }

  private void assertAttempts(Collection<String> lost, Collection<String> done) {
    assertThat(listed()).containsExactlyInAnyOrderElementsOf(done);
    assertThat(task().workers()).containsExactlyInAnyOrderElementsOf(done);
    assertThat(task().failures().orElseThrow())
        .singleElement()
        .extracting(AttemptFailure::allWorkers)
        .satisfies(workers -> assertThat(workers).containsExactlyInAnyOrderElementsOf(lost));
  }

  /** One attempt is lost with a machine and one done: each has both, also after the job's end. */
  @Test
  void eachAttemptKeepsAllMachinesOfItsGang() {
    scriptedWorld.until(() -> running().size() == 2, ofMinutes(40));
    scriptedWorld.advance(ofSeconds(20));
    var lost = running();
    assertThat(task().workers()).containsExactlyInAnyOrderElementsOf(lost);

    scriptedWorld.host(lost.getLast()).freeze();
    scriptedWorld.until(() -> task().failures().orElseThrow().size() == 1, ofMinutes(10));
    if (task().state() == TaskStatus.State.WAITING)
      assertThat(task().workers()).containsExactlyInAnyOrderElementsOf(lost);
    scriptedWorld.until(
        () -> running().size() == 2 && !running().contains(lost.getLast()), ofMinutes(20));
    var done = running();
    scriptedWorld.until(() -> task().state() == TaskStatus.State.DONE, ofMinutes(20));
    assertThat(scriptedWorld.ended()).isFalse();
    assertAttempts(lost, done);

    scriptedWorld.until(scriptedWorld::ended, ofHours(2));
    assertAttempts(lost, done);
  }
}
