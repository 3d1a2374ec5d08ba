package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs share one worker, as far as its room allows. */
class SharedWorkerTest {
  private final LabCluster labCluster = new LabCluster();

  private static JobSpec ofTwoProcessors(String name) {
    var one = LabCluster.count(name, 1);
    var two = Resources.cpu(2, 1L << 30);
    return JobBuilder.like(one, name).resources(two).build();
  }

  @Test
  void twoJobsOfTwoProcessorsShareMachineOfFour() {
    for (var name : List.of("first", "second", "third")) labCluster.submit(ofTwoProcessors(name));
    var w = labCluster.machine("w");
    w.total = Resources.cpu(4, 8L << 30);
    w.room = w.total;

    w.syncAndWait();

    assertThat(labCluster.worker("w").held())
        .extracting(held -> held.job())
        .containsExactlyInAnyOrder(labCluster.job("first").uid(), labCluster.job("second").uid());
  }
}
