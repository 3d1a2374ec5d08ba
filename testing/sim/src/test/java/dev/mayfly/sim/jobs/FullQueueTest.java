package dev.mayfly.sim.jobs;

import static dev.mayfly.core.model.job.Predecessor.On.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A cluster's job queue is one document: it refuses a job long before the document reaches the
 * store's limit.
 */
class FullQueueTest {
  private final LabCluster labCluster = new LabCluster();

  /** Fills the queue with {@code jobs} copies of the first job. */
  private void givenQueueOf(int jobs) {
    labCluster.submit(LabCluster.count("first", 10));
    var row = JobQueue.row(labCluster.job("first"));
    var rows = new ArrayList<>(List.of(row));
    for (var i = 1; i < jobs; i++)
      rows.add(
          new JobQueue.Row(
              row.job().substring(5) + "%05d".formatted(i),
              "job-%05d".formatted(i),
              "",
              row.priority(),
              row.submittedAt(),
              row.need(),
              row.place(),
              false,
              0,
              row.grants(),
              0,
              row.urgent(),
              1,
              List.of(),
              Optional.empty()));
    labCluster.store.commit(
        List.of(new LedgerWrite.Put(JobQueue.of(labCluster.uid, labCluster.time.instant(), rows))));
    labCluster.triggers.clear();
  }

  private int rows() {
    return labCluster
        .store
        .read(new DocumentKey.OfJobQueue(labCluster.uid))
        .orElseThrow()
        .value()
        .rows()
        .size();
  }

  @Test
  void takesJobsUpToItsRoom() {
    givenQueueOf(1_200);

    labCluster.submit(LabCluster.count("second", 10));

    assertThat(labCluster.end("second")).startsWith("Running");
    assertThat(rows()).isEqualTo(1_201);
  }

  @Test
  void refusesAJobWithTheReasonAndTheRemedy() {
    givenQueueOf(2_000);

    var refused = labCluster.submit(LabCluster.count("second", 10));
    var listed = labCluster.submit(LabCluster.count("long", 300_000));

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("the queue of cluster lab is full: 2,000 jobs run or wait there")
        .contains("stop some, or submit one job with many tasks");
    assertThat(labCluster.refused(listed)).singleElement().asString().contains("is full");
    assertThat(labCluster.jobs()).hasSize(1);
    assertThat(rows()).isEqualTo(2_000);
  }

  @Test
  void endsAListedJobThatFindsItFull() {
    labCluster.submit(LabCluster.count("big", 300_000));
    var triggers = List.copyOf(labCluster.triggers);
    givenQueueOf(2_000);
    labCluster.triggers.addAll(triggers);

    labCluster.deliver();

    assertThat(labCluster.end("big")).startsWith("FAILED: ").contains("is full");
    assertThat(rows()).isEqualTo(2_000);
  }

  private void assertRetryIsRefused(UserCommand retry, String reason) {
    var at = BucketLayout.of("gs://lab").outcome(labCluster.job("ended").uid(), 0);
    var before = labCluster.job("ended");
    var outcome = labCluster.objects.find(at).orElseThrow();
    var shards = labCluster.shards("ended");

    var refused = labCluster.publishLate(retry);

    assertThat(labCluster.refused(refused)).singleElement().asString().contains(reason);
    assertThat(labCluster.job("ended")).isEqualTo(before);
    assertThat(labCluster.objects.find(at)).contains(outcome);
    assertThat(labCluster.shards("ended")).isEqualTo(shards);
  }

  @Test
  void refusedRetryChangesNothing() {
    labCluster.submit(LabCluster.count("ended", 3));
    labCluster.stop("ended");
    labCluster.deliver();
    givenQueueOf(2_000);

    assertRetryIsRefused(new UserCommand.RetryJob("lab", "ended"), "is full");
    assertRetryIsRefused(
        new UserCommand.RetryTasks("lab", "ended", TaskRanges.parse("1")), "is full");
  }

  @Test
  void refusedRetryOfWaitingJobChangesNothing() {
    givenQueueOf(1);
    labCluster.submit(JobChains.successor("ended", JobChains.after("first", SUCCESS)));
    labCluster.stop("ended");
    labCluster.deliver();
    var waiting = IntStream.range(0, JobQueue.MOST_WAITING).mapToObj("j%015d"::formatted).toList();
    var queue = JobQueue.of(labCluster.uid, labCluster.now(), List.of()).withWaiting(waiting);
    labCluster.store.commit(List.of(new LedgerWrite.Put(queue)));

    assertRetryIsRefused(
        new UserCommand.RetryJob("lab", "ended"), "wait for others already, which is the most");
  }
}
