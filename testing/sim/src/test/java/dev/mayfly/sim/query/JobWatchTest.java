package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads that wait for a change of a job. */
class JobWatchTest {
  private static final Duration WAIT = Duration.ofSeconds(25);

  private final LabCluster labCluster = new LabCluster(1);
  private final List<Instant> over = new ArrayList<>();

  @BeforeEach
  void submit() {
    labCluster.submit(LabCluster.count("j", 2));
  }

  private JobStatus view() {
    return labCluster.controlPlane.statusQueries().job("lab", "j");
  }

  private void await(String after) {
    labCluster
        .controlPlane
        .statusQueries()
        .awaitChange(view(), after, WAIT, () -> over.add(labCluster.now()));
  }

  private void await() {
    await(view().version().orElseThrow());
  }

  @Test
  void nothingChangesUntilTheWaitIsOver() {
    var before = labCluster.now();
    await();
    labCluster.advance(24_000);
    assertThat(over).isEmpty();
    labCluster.advance(10_000);

    assertThat(over).hasSize(1);
    assertThat(over.getFirst()).isBetween(before.plus(WAIT), before.plus(WAIT).plusSeconds(1));
  }

  @Test
  void changedTotalsEndTheWaitWithinASecond() {
    labCluster.advance(5_000);
    await();
    labCluster.advance(5_000);
    var before = view().version();
    var changed = labCluster.now();
    labCluster.machine("w").syncAndWait();
    labCluster.advance(1_100);

    assertThat(view().version()).isNotEqualTo(before);
    assertThat(over).hasSize(1);
    assertThat(over.getFirst()).isBefore(changed.plusSeconds(2));
  }

  @Test
  void firstLookFollowsAfterATenth() {
    await("older");
    labCluster.advance(110);

    assertThat(over).hasSize(1);
  }

  @Test
  void aStoppedJobEndsTheWait() {
    await();
    labCluster.stop("j");
    labCluster.deliver();
    labCluster.advance(2_000);

    assertThat(view().state()).isEqualTo("stopped");
    assertThat(over).hasSize(1);
  }

  @Test
  void aJobThatIsGoneEndsTheWait() {
    await();
    labCluster.store.commit(List.of(new LedgerWrite.Delete(labCluster.job("j").key())));
    labCluster.advance(2_000);

    assertThat(over).hasSize(1);
  }

  /** However many wait for a job, it is read twice a second; and no more once nobody waits. */
  @Test
  void callersOfOneJobShareItsReads() {
    var meter = new LedgerMeter();
    var reader = labCluster.control("b", meter.wrap(labCluster.store), labCluster.codec);
    var view = view();
    for (var i = 0; i < 100; i++)
      reader
          .statusQueries()
          .awaitChange(view, view.version().orElseThrow(), WAIT, () -> over.add(labCluster.now()));
    var asked = meter.operations();
    labCluster.advance(30_000);

    assertThat(over).hasSize(100);
    var waited = meter.operations().since(asked);
    assertThat(waited.looks()).isBetween(50L, 60L);
    assertThat(waited.total()).isZero();
    labCluster.advance(60_000);
    assertThat(meter.operations().since(asked)).isEqualTo(waited);
  }

  @Test
  void theVersionIsSafeInAUrl() {
    assertThat(view().version().orElseThrow()).matches("[a-z0-9.]+");
  }
}
