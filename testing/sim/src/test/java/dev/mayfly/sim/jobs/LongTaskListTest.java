package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** One call at a time works on a long list, and the next continues where it ended. */
class LongTaskListTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LabCluster labCluster = new LabCluster(1_000);

  /** Matches the {@code number}th commit of the job's document from now on. */
  private static Predicate<List<LedgerWrite>> jobCommit(int number) {
    var seen = new AtomicInteger();
    return ledgerWrites ->
        ledgerWrites.stream().anyMatch(w -> w.key().path().matches(".*/jobs/[^/]+"))
            && seen.incrementAndGet() == number;
  }

  private Trigger.Expand expand() {
    return new Trigger.Expand(labCluster.uid, labCluster.jobs().getFirst().uid());
  }

  private Trigger.Finalize audit() {
    return new Trigger.Finalize(labCluster.uid, labCluster.jobs().getFirst().uid());
  }

  private void givenLongList() {
    for (var i = 0; i < 61_000; i++) labCluster.put("gs://lab/in/%06d.txt".formatted(i));
    labCluster.submit(
        LabCluster.spec("s", new TaskSource.Inputs("gs://lab/in/*.txt"), "gs://lab/out/{stem}"));
    labCluster.triggers.clear();
  }

  /** 23 pieces of an outcome, of which one call writes 20. */
  private void givenLongAudit() {
    labCluster.submit(LabCluster.count("p", 230_000));
    while (!(labCluster.job("p").state() instanceof JobState.Running)) labCluster.deliver();
    labCluster.stop("p");
    labCluster.triggers.clear();
  }

  @Test
  void tickLeavesActiveExpansionAlone() {
    givenLongList();
    var others = labCluster.control("b");
    labCluster.ledger.before(
        jobCommit(2),
        () -> {
          var before = labCluster.job("s");
          others.handle(new Trigger.Tick());
          others.handle(expand());
          assertThat(labCluster.triggers).doesNotContain(expand());
          assertThat(labCluster.job("s")).isEqualTo(before);
        });

    labCluster.controlPlane.handle(expand());

    assertThat(labCluster.job("s").state().workedUntil()).isEmpty();
    assertThat(labCluster.triggers).isNotEmpty();
  }

  @Test
  void tickResumesExpansionAfterTimeout() {
    givenLongList();
    die(labCluster.time.instant().plus(MINUTE));

    labCluster.control("b").handle(new Trigger.Tick());
    assertThat(labCluster.triggers).doesNotContain(expand());
    labCluster.time.advance(MINUTE);
    labCluster.control("b").handle(new Trigger.Tick());

    assertThat(labCluster.triggers).contains(expand());
    labCluster.deliver();
    assertThat(labCluster.job("s").state()).isInstanceOf(JobState.Running.class);
  }

  /** The job's state after a call that died. */
  private void die(Instant until) {
    var storedJob = labCluster.store.read(labCluster.job("s").key()).orElseThrow();
    var state = new JobState.Expanding("", 0, -1).claimed(until);
    Job left = storedJob.value().with(state);
    labCluster.store.commit(List.of(new LedgerWrite.Update(left, storedJob.version())));
  }

  @Test
  void failedCallReleasesItsList() {
    givenLongList();
    labCluster.ledger.unknown(jobCommit(2));
    try {
      labCluster.controlPlane.handle(expand());
    } catch (UnavailableException expected) {
      assertThat(labCluster.job("s").state().workedUntil()).isEmpty();
    }
    labCluster.ledger.unknown(w -> false);
    assertThat(labCluster.job("s").state()).isInstanceOf(JobState.Expanding.class);

    labCluster.controlPlane.handle(expand());

    assertThat(labCluster.job("s").state()).isNotEqualTo(new JobState.Expanding("", 0, -1));
  }

  @Test
  void auditResumesAfterPreviousCall() {
    givenLongAudit();
    labCluster.controlPlane.handle(audit());
    assertThat(labCluster.triggers).containsExactly(audit());
    assertThat(labCluster.job("p").state())
        .isInstanceOfSatisfying(
            JobState.Finishing.class,
            s -> {
              assertThat(s.audited().orElseThrow().tasks()).isEqualTo(200_000);
              assertThat(s.audited().orElseThrow().shard()).isBetween(190_000L, 200_000L);
            });
    // Compared outputs are not read again.
    var first = BucketLayout.of("gs://lab").outcome(labCluster.job("p").uid(), 0);
    labCluster.delete(first.toString());

    labCluster.deliver();

    assertThat(labCluster.end("p"))
        .isEqualTo("STOPPED: 0 done, 230,000 not finished; stopped by a message");
    assertThat(labCluster.objects.find(first)).isEmpty();
    assertThat(labCluster.job("p").state().end().orElseThrow().totals().shards())
        .isEqualTo(labCluster.shards("p").size());
  }

  @Test
  void tickLeavesActiveAuditAlone() {
    givenLongAudit();
    var others = labCluster.control("b");
    labCluster.ledger.before(
        jobCommit(3),
        () -> {
          others.handle(new Trigger.Tick());
          assertThat(labCluster.triggers).doesNotContain(audit());
          var before = labCluster.job("p");
          others.handle(audit());
          assertThat(labCluster.job("p")).isEqualTo(before);
        });

    labCluster.controlPlane.handle(audit());
    labCluster.deliver();

    assertThat(labCluster.end("p")).startsWith("STOPPED");
  }

  @Test
  void followingLogKeepsExpansion() {
    givenLongList();
    labCluster.ledger.before(
        jobCommit(2),
        () -> {
          var storedJob = labCluster.store.read(labCluster.job("s").key()).orElseThrow();
          var followed = storedJob.value().withFollowedUntil(labCluster.time.instant());
          labCluster.store.commit(List.of(new LedgerWrite.Update(followed, storedJob.version())));
        });

    labCluster.controlPlane.handle(expand());
    labCluster.deliver();

    assertThat(labCluster.job("s").state()).isInstanceOf(JobState.Running.class);
    assertThat(labCluster.job("s").followedUntil()).isPresent();
    assertThat(labCluster.open("s")).isEqualTo(61_000);
  }

  @Test
  void stopDuringExpansionHolds() {
    givenLongList();
    labCluster.ledger.before(
        jobCommit(2), () -> labCluster.control("b").commandHandler().handle(stop()));

    labCluster.controlPlane.handle(expand());
    labCluster.deliver();

    assertThat(labCluster.end("s")).startsWith("STOPPED");
  }

  private UserMessage stop() {
    return labCluster.message(new UserCommand.StopJob("lab", "s"));
  }
}
