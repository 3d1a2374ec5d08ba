package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.JobChains;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that start after others (decision 70). */
class PredecessorsTest {
  private static final Predecessor.On SUCCESS = Predecessor.On.SUCCESS;
  private static final Predecessor.On END = Predecessor.On.END;

  private final JobChains chains = new JobChains();
  private final LabCluster labCluster = chains.labCluster;

  @Test
  void timeOfAJobBeginsAfterItsPredecessors() {
    chains.submit(LabCluster.count("first", 1), "s1");
    chains.submit(JobChains.successor("second", JobChains.submitted("first", "s1")));
    labCluster.advance(60_000);
    var ended = labCluster.now();
    chains.succeed("first");

    assertThat(mayRunSince("first").orElseThrow()).isBefore(ended);
    assertThat(mayRunSince("second").orElseThrow()).isAfterOrEqualTo(ended);
  }

  private Optional<Instant> mayRunSince(String job) {
    return labCluster.controlPlane.statusQueries().job("lab", job).mayRunSince();
  }

  @Test
  void successorStartsWhenPredecessorSucceeded() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    assertThat(chains.state("second")).isEqualTo("Waiting");
    assertThat(chains.queue().waiting()).containsExactly(labCluster.job("second").uid());

    chains.succeed("first");

    assertThat(labCluster.end("first")).startsWith("SUCCEEDED");
    assertThat(chains.state("second")).isEqualTo("Running");
    assertThat(chains.queue().waiting()).isEmpty();
  }

  @Test
  void outputsOfPredecessorAreInputs() {
    chains.submit(LabCluster.count("first", 1));
    var glob = new TaskSource.Inputs("gs://lab/out/first/*");
    chains.submit(
        JobChains.after(
            LabCluster.spec("second", glob, "gs://lab/out/second/{stem}"),
            JobChains.after("first", SUCCESS)));

    chains.succeed("first");

    assertThat(labCluster.job("second").tasks().count()).isEqualTo(1);
    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void noInputsAfterPredecessorsFailTheJob() {
    chains.submit(LabCluster.count("first", 1));
    var glob = new TaskSource.Inputs("gs://lab/none/*");
    chains.submit(
        JobChains.after(
            LabCluster.spec("second", glob, "gs://lab/out/second/{stem}"),
            JobChains.after("first", SUCCESS)));

    chains.succeed("first");

    assertThat(labCluster.end("second"))
        .startsWith("FAILED: ")
        .contains("no object matches gs://lab/none/*");
  }

  @Test
  void stoppedPredecessorIsNamedAsReason() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    chains.submit(JobChains.successor("third", JobChains.after("second", SUCCESS)));

    chains.stop("first");

    assertThat(labCluster.end("second"))
        .isEqualTo(
            "STOPPED: did not start: its predecessor first was stopped; with after: [{job: first, on: end}] it starts then too");
    assertThat(labCluster.end("third"))
        .isEqualTo(
            "STOPPED: did not start: its predecessor second was stopped; with after: [{job: second, on: end}] it starts then too");
    assertThat(chains.queue().waiting()).isEmpty();
  }

  @Test
  void anyEndStartsSuccessorThatAsksForIt() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", END)));

    chains.stop("first");

    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void successorStartsAfterLastPredecessor() {
    chains.submit(LabCluster.count("b", 1));
    chains.submit(
        JobChains.successor("c", JobChains.submitted("a", "sa"), JobChains.after("b", SUCCESS)));

    chains.succeed("b");
    chains.submit(LabCluster.count("a", 1), "sa");
    assertThat(chains.state("c")).isEqualTo("Waiting");
    chains.succeed("a");

    assertThat(chains.state("c")).isEqualTo("Running");
  }

  @Test
  void endedPredecessorCountsWhenSuccessorArrives() {
    chains.submit(LabCluster.count("first", 1));
    chains.succeed("first");

    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));

    assertThat(chains.state("second")).isEqualTo("Running");
  }

  /** A name means the newest job submitted before, also when a newer one came first. */
  @Test
  void waitingJobCanBeStopped() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));

    chains.stop("second");

    assertThat(labCluster.end("second")).startsWith("STOPPED");
    assertThat(chains.queue().waiting()).isEmpty();
  }

  @Test
  void retriedSuccessorWaitsAgain() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    chains.stop("first");
    chains.retry("first");
    assertThat(chains.state("second")).as("stays ended").isEqualTo("Ended");

    chains.retry("second");
    assertThat(chains.state("second")).isEqualTo("Waiting");
    chains.succeed("first");

    assertThat(chains.state("second")).isEqualTo("Running");
  }

  @Test
  void retryAfterFailedPredecessorIsRefused() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    chains.stop("first");
    // A later job of that name is not the one that it follows.
    chains.submit(LabCluster.count("first", 2));
    chains.succeed("first");

    var message = labCluster.publish(new UserCommand.RetryJob("lab", "second"));

    assertThat(labCluster.refused(message))
        .singleElement()
        .asString()
        .contains("job second cannot run again: its predecessor first was stopped")
        .contains("submit both again (mayfly submit)");
    assertThat(labCluster.end("second")).startsWith("STOPPED: did not start");
  }

  @Test
  void lostTriggersAreMadeUpByTicks() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));
    labCluster.stop("first");
    while (!(labCluster.job("first").state() instanceof JobState.Ended))
      chains.tickWithoutTriggers();
    labCluster.triggers.clear();

    chains.tick();

    assertThat(labCluster.end("second")).startsWith("STOPPED: did not start");
  }

  /** Ticks continue, and a long wait does not read the predecessors again. */
  @Test
  void waitingCostsTicksNoReads() {
    chains.submit(LabCluster.count("done", 1));
    chains.succeed("done");
    chains.submit(LabCluster.count("first", 1));
    var alone = readsOfTick();
    chains.submit(
        JobChains.successor(
            "second", JobChains.after("done", SUCCESS), JobChains.after("first", SUCCESS)));

    assertThat(readsOfTick()).isLessThanOrEqualTo(alone);
    assertThat(labCluster.schedule.paused()).isFalse();
  }

  /** Of a tick in which nothing else happens. */
  private long readsOfTick() {
    var least = Long.MAX_VALUE;
    for (var i = 0; i < 8; i++) {
      var before = labCluster.ledger.reads;
      chains.tick();
      least = Math.min(least, labCluster.ledger.reads - before);
    }
    return least;
  }

  @Test
  void tooManyWaitingJobsAreRefused() {
    chains.submit(LabCluster.count("first", 1));
    var full = chains.queue().withWaiting(range());
    labCluster.store.commit(List.of(new LedgerWrite.Put(full)));

    var refused =
        labCluster.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));

    assertThat(labCluster.refused(refused))
        .singleElement()
        .asString()
        .contains("after", "1,000 jobs of cluster lab wait for others already");
  }

  private static List<String> range() {
    return IntStream.range(0, JobQueue.MOST_WAITING).mapToObj(i -> "j%04d".formatted(i)).toList();
  }

  @Test
  void takenDownClusterEndsWaitingJobs() {
    chains.submit(LabCluster.count("first", 1));
    chains.submit(JobChains.successor("second", JobChains.after("first", SUCCESS)));

    labCluster.publish(new UserCommand.DownCluster("lab"));
    for (var i = 0; i < 3; i++) chains.tick();

    assertThat(labCluster.jobs()).allMatch(j -> j.state().ended());
  }
}
