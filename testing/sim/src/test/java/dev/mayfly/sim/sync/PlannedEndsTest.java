package dev.mayfly.sim.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ScriptedAgent;
import java.util.List;
import java.util.Map;
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

  /** Nobody knew that it ran; that its work is lost is an event all the same, and waste. */
  @Test
  void takenTaskThatRanIsNamedToItsJob() {
    labCluster.submit(LabCluster.count("j", 800));
    var rich = labCluster.machine("rich");
    labCluster.change(
        "rich", false, it -> it.withUsage(MachineUsage.from(Optional.of(1.0), labCluster.now())));
    rich.syncAndWait();
    rich.prefetch = Map.of(labCluster.job("j").uid(), 2_000L);
    rich.syncAndWait();
    rich.sync();
    labCluster.advance(12_000);
    rich.sync();
    var before = Map.copyOf(rich.leases);
    labCluster.machine("poor").sync();
    labCluster.advance(100);
    var cut = rich.held().stream().filter(it -> isCut(before, rich, it)).findFirst().orElseThrow();
    var end = rich.leases.get(cut).end();

    // It began the first of those that were taken before it was told.
    rich.leases.put(cut, before.get(cut));
    rich.ended(end, FailureCause.TAKEN, "");
    rich.complete(i -> i < end);
    rich.release();
    rich.sync();
    rich.sync();

    assertThat(events("j", "taken"))
        .containsExactly(
            "task %d ran on worker rich already when another worker got it, because its start was not known yet; 7s of its work are lost, and it runs there"
                .formatted(end));
    assertThat(requeued("j")).isEmpty();
    assertThat(labCluster.worker("rich").usage().orElseThrow().entries())
        .anyMatch(it -> it.purpose() == Purpose.TAKEN && it.millis() == 3_500);
  }

  private static boolean isCut(
      Map<LeaseRef, SyncReport.Lease> before, ScriptedAgent agent, LeaseRef lease) {
    return before.containsKey(lease) && agent.leases.get(lease).end() < before.get(lease).end();
  }

  private List<String> requeued(String job) {
    return events(job, "requeued");
  }

  private List<String> events(String job, String what) {
    return labCluster
        .controlPlane
        .statusQueries()
        .events("lab", Optional.of("job/" + job), 50)
        .stream()
        .filter(event -> event.what().equals(what))
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
