package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Orders of machines that the cloud refused, in a cluster's status. */
class RefusedOrdersTest {
  /** There was no machine that could have booted. */
  private static WorkerStatus refused(WorkerStatus w) {
    return refused(w, w.since());
  }

  private static WorkerStatus refused(WorkerStatus w, Instant since) {
    return new WorkerStatus(
        w.name(),
        w.pool(),
        w.zone(),
        w.machineType(),
        w.state(),
        since,
        w.reason(),
        w.due(),
        w.idleSince(),
        w.total(),
        w.leases(),
        w.createdAt(),
        w.firstSyncAt(),
        w.instanceId(),
        w.problem(),
        w.problemKind(),
        w.mounts(),
        w.gpus(),
        Optional.empty(),
        w.usdPerHour(),
        Optional.of(Ending.REFUSED),
        w.machine());
  }

  @Test
  void refusedOrderIsNoBoot() {
    var why = Optional.of("ZONE_RESOURCE_POOL_EXHAUSTED");
    var workers = List.of(refused(ViewFixtures.worker("lab-cpu-e", "gone", 0, why)));

    assertThat(page(workers))
        .contains("refused    1 in the last hour; lab-cpu-e: ZONE_RESOURCE_POOL_EXHAUSTED")
        .doesNotContain("no boot");
  }

  /** Trouble that is over says so, and how long it was one. */
  @Test
  void machinesThatCameSinceAreSaid() {
    var why = Optional.of("ZONE_RESOURCE_POOL_EXHAUSTED");
    var gone = ViewFixtures.worker("lab-cpu-e", "gone", 0, why);
    var refused = refused(gone, ViewFixtures.NOW.minusSeconds(300));
    var earlier = refused(gone, ViewFixtures.NOW.minusSeconds(1_260));
    var came = ViewFixtures.worker("lab-cpu-f", "ready", 5, Optional.empty());

    assertThat(page(List.of(came, refused, earlier)))
        .contains(
            "refused    2 in the last hour, the first 21m ago; lab-cpu-e: ZONE_RESOURCE_POOL_EXHAUSTED; since then 1 machine of pool cpu came");
    assertThat(page(List.of(refused, earlier)))
        .contains("the first 21m ago; lab-cpu-e: ZONE_RESOURCE_POOL_EXHAUSTED")
        .doesNotContain("came");
  }

  private static String page(List<WorkerStatus> workers) {
    var lines =
        StatusPage.lines(
            ViewFixtures.cluster(),
            workers,
            List.of(),
            Optional.of(CostFixtures.cost()),
            false,
            ViewFixtures.NOW,
            TestScreen.of(System.out, System.err, true, false, 200));
    return String.join("\n", lines) + "\n";
  }
}
