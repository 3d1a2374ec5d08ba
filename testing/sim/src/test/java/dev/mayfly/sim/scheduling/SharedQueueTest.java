package dev.mayfly.sim.scheduling;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.job.JobCache;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A queue that owners share is recounted without a signal, so that instances read it often. */
class SharedQueueTest {
  private final ReconcileFixture lab = new ReconcileFixture();
  private final JobCache jobs = new JobCache(lab.context, lab.uid);

  @BeforeEach
  void oneOwnerHasAJobAtFirst() {
    written("ada");
    assertThat(jobs.rows()).hasSize(1);
    assertThat(jobs.rows()).as("what is cached").hasSize(1);
  }

  private void written(String... owners) {
    var rows = Arrays.stream(owners).map(this::row).toList();
    lab.ledger.commit(
        List.of(new LedgerWrite.Put(new JobQueue(lab.uid, lab.time.instant(), rows))));
  }

  private JobQueue.Row row(String owner) {
    return new JobQueue.Row(
        "job of " + owner,
        "sweep",
        owner,
        50,
        lab.time.instant(),
        Resources.cpu(1, 0),
        Placement.ANYWHERE,
        false,
        0,
        Optional.empty(),
        0,
        Optional.empty(),
        1,
        List.of(),
        Optional.empty());
  }

  @Test
  void queueOfOneOwnerStaysUntilASignal() {
    written("ada", "bob");
    lab.time.advance(ofSeconds(10));

    assertThat(jobs.rows()).hasSize(1);
    jobs.clear();
    assertThat(jobs.rows()).hasSize(2);
  }

  @Test
  void queueThatAnotherOwnerJoinedIsReadSoon() {
    written("ada", "bob");
    jobs.clear();
    assertThat(jobs.rows()).hasSize(2);

    written("ada", "bob", "eve");
    lab.time.advance(ofSeconds(10));

    assertThat(jobs.rows()).hasSize(3);
  }
}
