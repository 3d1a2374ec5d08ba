package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.CountedProgress;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.text.DocumentSummary;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far a running job is, in its own document, which the tick writes. */
class JobProgressTest {
  private final ReconcileFixture b = new ReconcileFixture();

  private VersionedDocument<Job> stored(Job job) {
    return b.ledger.read(job.key()).orElseThrow();
  }

  private CountedProgress progress(Job job) {
    return stored(job).value().progress().orElseThrow();
  }

  /** The first {@code done} tasks of the job's only shard are done. */
  private void done(Job job, int done) {
    var key = new DocumentKey.OfShard(job.cluster(), job.uid(), 0);
    var shard = b.ledger.read(key).orElseThrow();
    var next = Shard.of(key, shard.value().end(), TaskSet.where(0, done, _ -> true));
    b.ledger.commit(List.of(new LedgerWrite.Update(next, shard.version())));
  }

  @Test
  void tickWritesHowManyTasksAreDone() {
    var job = b.job("reddit", 10);
    done(job, 4);

    b.tick();

    assertThat(progress(job).totals().done()).isEqualTo(4);
    assertThat(DocumentSummary.of(stored(job).value()).orElseThrow())
        .startsWith("waits: ")
        .contains("; 4 of 10 tasks done, 6 in the queue (counted 2026-")
        .contains("; started 2026-");
  }

  @Test
  void unchangedJobIsWrittenOnce() {
    var job = b.job("reddit", 10);
    b.tick();
    b.tick();
    var version = stored(job).version();

    for (var i = 0; i < 3; i++) b.tick();

    assertThat(stored(job).version()).isEqualTo(version);
  }

  @Test
  void ticksInQuickSuccessionWriteOnceAMinute() {
    var job = b.job("reddit", 10);
    b.tick();
    var first = progress(job).at();

    for (var done = 1; done < 9; done++) {
      done(job, done);
      b.time.advance(Duration.ofSeconds(5));
      b.reconcileLoop.tick();
    }

    assertThat(progress(job).at()).isEqualTo(first);
  }

  @Test
  void thoseWrittenLongestAgoComeFirst() {
    var jobs = new ArrayList<Job>();
    for (var i = 0; i < 150; i++) jobs.add(b.job("j" + i, 10));
    jobs.forEach(job -> done(job, 1));

    b.tick();
    assertThat(jobs.stream().filter(job -> stored(job).value().progress().isPresent()))
        .hasSize(100);
    jobs.forEach(job -> done(job, 2));
    b.tick();

    assertThat(jobs).allSatisfy(job -> assertThat(stored(job).value().progress()).isPresent());
  }

  @Test
  void endedJobHasItsTotalsAndNoProgress() {
    var job = b.job("reddit", 10);
    done(job, 4);
    b.tick();

    var running = stored(job).value();
    var stopping = running.with(new JobState.Stopping(b.time.instant(), "ann"));
    var ended =
        stopping.with(
            new JobState.Ended(
                b.time.instant(),
                JobState.Result.STOPPED,
                "stopped by ann",
                TaskTotals.NONE,
                Map.of(),
                Optional.empty()));

    assertThat(DocumentSummary.of(stopping).orElseThrow())
        .startsWith("4 of 10 tasks done")
        .endsWith(": ann");
    assertThat(ended.progress()).isEmpty();
  }
}
