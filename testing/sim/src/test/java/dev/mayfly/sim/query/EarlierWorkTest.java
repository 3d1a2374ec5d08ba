package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A task that an earlier job did names that job, while its own job lives and afterwards. */
class EarlierWorkTest {
  private final LabCluster labCluster = new LabCluster(1);

  private TaskStatus task(long index) {
    return labCluster.controlPlane.statusQueries().task("lab", "k", index);
  }

  @Test
  void workOfAnEarlierJobNamesThatJobsTask() {
    var two = LabCluster.count("j", 2);
    labCluster.submit(two);
    var uid = labCluster.job("j").uid();
    labCluster.put(
        "gs://lab/out/j/1.COMPLETE",
        "",
        Map.of("mayfly-job", uid, "mayfly-task", "1", "mayfly-attempt", "s0e1"));
    labCluster.stop("j");

    labCluster.submit(LabCluster.spec("k", two.tasks(), "gs://lab/out/j/{index}"));
    assertThat(task(1).doneBy()).contains(uid + "/1");
    assertThat(task(0).doneBy()).isEmpty();
    labCluster.stop("k");
    labCluster.deliver();
    labCluster.controlPlane.handle(new Trigger.Tick());
    labCluster.deliver();
    assertThat(labCluster.job("k").state().ended()).isTrue();
    assertThat(task(1).doneBy()).as("from the outcome").contains(uid + "/1");
  }
}
