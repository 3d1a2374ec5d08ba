package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an agent ended because its machine ends is an event of each job. */
class PlannedEndsTest {
  private static final String WHY = "the machine's 24h (pools[].life) are nearly over";

  private final LabCluster labCluster = new LabCluster();

  private ScriptedAgent working(String... jobs) {
    for (var job : jobs) labCluster.submit(LabCluster.count(job, 2));
    var machine = labCluster.machine("w");
    machine.syncAndWait();
    assertThat(machine.held()).isNotEmpty();
    return machine;
  }

  private List<String> requeued(String job) {
    return labCluster
        .controlPlane
        .statusQueries()
        .events("lab", Optional.of("job/" + job), 50)
        .stream()
        .filter(event -> event.what().equals("requeued"))
        .map(event -> event.why())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"END_OF_LIFE, end of life", "DRAINED, drained", "PREEMPTED, preempted"})
  void tasksThatEndedAreNamedToTheirJob(FailureCause cause, String words) {
    var machine = working("j");
    machine.ended(0, cause, WHY);
    machine.ended(1, cause, WHY);
    machine.release();

    machine.sync();

    assertThat(requeued("j"))
        .containsExactly(
            "tasks 0, 1 "
                + words
                + " on worker w: "
                + WHY
                + "; 2 open tasks are back in the queue");
  }

  @Test
  void repeatedReportIsOneEvent() {
    var machine = working("j");
    machine.ended(0, FailureCause.DRAINED, WHY);
    machine.sync();
    machine.release();
    var report = machine.report();

    machine.sync(report);
    machine.sync(report);

    assertThat(requeued("j")).hasSize(1).allMatch(why -> why.startsWith("task 0 drained on"));
  }

  @Test
  void whatEndedByItselfIsNone() {
    var machine = working("j");
    machine.failed(0);
    machine.ended(1, FailureCause.RETURNED, WHY);
    machine.release();

    machine.sync();

    assertThat(requeued("j")).isEmpty();
  }
}
