package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people are told of machines that cost and do nothing. */
class IdleMachinesTest {
  private final LabCluster labCluster = new LabCluster();

  private void pool(int min, int spare) {
    var was = labCluster.cluster().spec().pools().getFirst();
    var next =
        new PoolSpec(
                was.name(),
                was.machineType(),
                was.visible(),
                was.zones(),
                was.provisioning(),
                min,
                was.max(),
                was.idleAfter(),
                was.life(),
                MachineSpec.PLAIN)
            .withSpare(spare);
    var spec = labCluster.cluster().spec().with(List.of(next));
    labCluster.publishLate(new UserCommand.ApplyCluster(spec, Optional.empty(), false));
  }

  private void idle(String name) {
    labCluster.machine(name).syncAndWait();
    labCluster.change(
        name, false, w -> w.withUsage(MachineUsage.from(Optional.of(0.25), labCluster.now())));
  }

  private Optional<String> reason(String name) {
    return labCluster.controlPlane.statusQueries().workers("lab", false).stream()
        .filter(w -> w.name().equals(name))
        .findFirst()
        .flatMap(WorkerStatus::reason);
  }

  @Test
  void machineOfMinimumSaysWhyItIdles() {
    pool(1, 0);
    idle("w");

    assertThat(reason("w")).hasValue("kept idle for workers.min: 1 of pool cpu; $0.25 an hour");
    assertThat(labCluster.controlPlane.statusQueries().worker("lab", "w").reason())
        .isEqualTo(reason("w"));
    assertThat(labCluster.controlPlane.statusQueries().cluster("lab").idle())
        .containsExactly("1 machine for workers.min: 1 of pool cpu; $0.25 an hour");
  }

  @Test
  void spareMachineSaysItWhileThereIsWork() {
    pool(0, 1);
    idle("w");
    assertThat(reason("w")).isEmpty();

    labCluster.submit(LabCluster.count("j", 1));

    assertThat(reason("w"))
        .hasValue("kept idle as spare, for workers.spare: 1 of pool cpu; $0.25 an hour");
  }
}
