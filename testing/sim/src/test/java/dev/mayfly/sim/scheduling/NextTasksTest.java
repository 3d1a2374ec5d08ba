package dev.mayfly.sim.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.task.TaskRequest;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.query.task.TaskStatus.State;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tasks that a machine has, and that do not run there yet. */
class NextTasksTest {
  private final LabCluster labCluster = new LabCluster(1);

  private List<State> states(String job) {
    return labCluster
        .controlPlane
        .statusQueries()
        .tasks("lab", job, new TaskRequest(Optional.empty(), 0, 100))
        .tasks()
        .stream()
        .map(TaskStatus::state)
        .toList();
  }

  /** What it holds beside what runs there has no room yet. */
  @Test
  void whatIsNextOnFullMachineDoesNotRun() {
    labCluster.submit(LabCluster.count("first", 2));
    var worker = labCluster.machine("w");
    worker.syncAndWait();
    worker.running(labCluster.now(), 0L, 1L);
    labCluster.submit(LabCluster.count("next", 2));
    worker.prefetch = Map.of(labCluster.job("next").uid(), 2L);
    worker.syncAndWait();
    worker.syncAndWait();

    var queries = labCluster.controlPlane.statusQueries();
    assertThat(queries.job("lab", "next").totals().leased()).isEqualTo(2);
    assertThat(states("next")).containsOnly(State.WAITING);
    assertThat(labCluster.controlPlane.statusQueries().task("lab", "next", 0).startedAt())
        .isEmpty();
    assertThat(states("first")).containsOnly(State.RUNNING);
    var leases = queries.workers("lab", false).getFirst().leases();
    assertThat(leases).extracting(WorkerStatus.LeaseView::running).containsExactly(2L, 0L);
    assertThat(queries.explain("lab", "next").reasons())
        .extracting(JobExplanation.Reason::text)
        .anySatisfy(
            text -> assertThat(text).contains("none of them runs yet: they are next there"));
  }
}
