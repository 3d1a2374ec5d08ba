package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.sim.fixture.LabCluster;
import org.junit.jupiter.api.Test;

/** A running task does not go on, and says why. */
class StalledTasksTest {
  private final LabCluster labCluster = new LabCluster();

  private StatusQueries queries() {
    return labCluster.controlPlane.statusQueries();
  }

  @Test
  void whatStallsATaskIsToldInBothViews() {
    labCluster.submit(LabCluster.count("j", 2));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    var until = labCluster.now().plusSeconds(200);
    worker.running(labCluster.now(), 0L, 1L);
    worker.stalled(0, "storage.objects.delete is denied on gs://lab/out/j/0", until);
    worker.syncAndWait();

    assertThat(queries().task("lab", "j", 0).stalled().orElseThrow().why())
        .isEqualTo("storage.objects.delete is denied on gs://lab/out/j/0");
    assertThat(queries().task("lab", "j", 1).stalled()).isEmpty();
    assertThat(queries().explain("lab", "j").reasons())
        .filteredOn(reason -> reason.kind().equals("stalled"))
        .singleElement()
        .satisfies(reason ->
            assertThat(reason.text())
                .startsWith("1 task does not go on: storage.objects.delete is denied on gs://lab")
                .contains("; tried again until "));
  }
}
