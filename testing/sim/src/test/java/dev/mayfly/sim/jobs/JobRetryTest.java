package dev.mayfly.sim.jobs;

import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.control.CommandHandler;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.state.job.JobCache;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.ReconcileFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes handle one retry, and jobs may have cost what they may. */
class JobRetryTest {
  private final LabCluster labCluster = new LabCluster();

  private void end() {
    labCluster.stop("j");
    labCluster.deliver();
    assertThat(labCluster.job("j").state().ended()).isTrue();
  }

  private ObjectInfo outcome() {
    var at = BucketLayout.of("gs://lab").outcome(labCluster.job("j").uid(), 0);
    return labCluster.objects.find(at).orElseThrow();
  }

  /** The other copy runs, and its job ends again, before this one stores that it runs. */
  @Test
  void lateCopySparesOutcomeOfTheNextEnd() {
    labCluster.submit(LabCluster.count("j", 1));
    end();
    var before = outcome();
    var retry = labCluster.message(new UserCommand.RetryJob("lab", "j"));
    labCluster.ledger.after(
        writes -> writes.stream().anyMatch(w -> w.key() instanceof DocumentKey.OfShard),
        () -> {
          labCluster.controlPlane.commandHandler().handle(retry);
          end();
        });

    var late = labCluster.control("b").commandHandler();
    assertThatThrownBy(() -> late.handle(retry)).isInstanceOf(UnavailableException.class);
    late.handle(retry);

    assertThat(labCluster.job("j").state().ended()).isTrue();
    assertThat(outcome().generation()).isGreaterThan(before.generation());
  }

  /** The other copy reruns the job, and a machine takes its tasks, at any read of this one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void lateCopyTakesNothingFromMachines(int read) {
    labCluster.submit(LabCluster.count("j", 1));
    end();
    var w = labCluster.machine("w");
    var retry = labCluster.message(new UserCommand.RetryJob("lab", "j"));
    var late = labCluster.control("b").commandHandler();
    labCluster.ledger.beforeRead(
        read,
        () -> {
          labCluster.controlPlane.commandHandler().handle(retry);
          w.syncAndWait();
          assertThat(w.held()).isNotEmpty();
        });

    handled(late, retry);
    handled(late, retry);

    assertThat(labCluster.shards("j"))
        .allSatisfy(shard -> assertThat(shard.state()).isEqualTo(Shard.State.LEASED));
  }

  /** A copy that fails is delivered again. */
  private static void handled(CommandHandler handler, UserMessage message) {
    try {
      handler.handle(message);
    } catch (UnavailableException e) {
      assertThat(e).hasMessageContaining("is being changed");
    }
  }

  private void limited(double maxUsd) {
    var rules =
        new AdmissionRules(
            List.of(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(maxUsd),
            Optional.empty());
    labCluster.submit(LabCluster.count("j", 1).withAdmission(rules));
  }

  /** A machine that ended has cost so much of the job. */
  private void spend(double usd) {
    var job = labCluster.store.read(labCluster.job("j").key()).orElseThrow();
    labCluster.store.commit(
        List.of(new LedgerWrite.Update(job.value().withEndedUsd(usd), job.version())));
  }

  private List<String> retried(Optional<Double> maxUsd) {
    return labCluster.refused(
        labCluster.publishLate(new UserCommand.RetryJob("lab", "j").upTo(maxUsd)));
  }

  @Test
  void usedUpJobNeedsMoreMoneyForRetry() {
    limited(25);
    end();
    spend(26);

    assertThat(retried(Optional.empty()))
        .containsExactly(
            "retry of job j: maxUsd: of $25.00 is used up: the tasks of job j cost $26.00; write more: mayfly retry j --max-usd 52");
    assertThat(retried(Optional.of(26.0))).singleElement().asString().contains("of $26.00 is used");
    assertThat(
            labCluster.refused(
                labCluster.publishLate(
                    new UserCommand.RetryTasks("lab", "j", TaskRanges.parse("0")))))
        .singleElement()
        .asString()
        .contains("of $25.00 is used up");
    assertThat(retried(Optional.of(52.0))).isEmpty();
    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(labCluster.job("j").maxUsd()).contains(52.0);
    assertThat(labCluster.job("j").spent().endedUsd()).isEqualTo(26);
  }

  @Test
  void limitOfRunningJobIsRaisedAlone() {
    limited(25);
    var before = labCluster.job("j");

    assertThat(retried(Optional.of(50.0))).isEmpty();

    assertThat(labCluster.job("j")).isEqualTo(before.withMaxUsd(50));
  }

  @Test
  void jobWithoutLimitGetsNone() {
    labCluster.submit(LabCluster.count("j", 1));

    assertThat(retried(Optional.of(50.0)))
        .containsExactly(
            "retry of job j: maxUsd: is for jobs that were submitted with one, and job j was not; leave it out, or submit the job again");
  }

  private void timed(Duration most) {
    labCluster.submit(
        LabCluster.count("j", 1).withAdmission(AdmissionRules.NONE.lasting(Optional.of(most))));
  }

  private List<String> retriedFor(Duration most) {
    var retry = new UserCommand.RetryJob("lab", "j").lasting(Optional.of(most));
    return labCluster.refused(labCluster.publishLate(retry));
  }

  @Test
  void runningJobNeedsMoreTimeThanItHasRun() {
    timed(ofHours(5));
    var job = labCluster.store.read(labCluster.job("j").key()).orElseThrow();
    var begun = job.value().withRunTime(AdmissionRules.RunTime.NONE.begun(labCluster.now()));
    labCluster.store.commit(List.of(new LedgerWrite.Update(begun, job.version())));
    labCluster.time.advance(ofHours(3));

    assertThat(retriedFor(ofHours(2)))
        .containsExactly(
            "retry of job j: maxRunTime: of 2h is over: job j has run for 3h; write more: mayfly retry j --max-run-time 6h");
    assertThat(retriedFor(ofHours(9))).isEmpty();
    assertThat(RunTimeLimit.run(labCluster.job("j")).max()).contains(ofHours(9));
    assertThat(labCluster.job("j").spec().admission().maxRunTime()).contains(ofHours(5));
  }

  @Test
  void endedJobCountsAnewAndMayGetAnyTime() {
    timed(ofHours(5));
    end();

    assertThat(retriedFor(ofHours(2))).isEmpty();

    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(RunTimeLimit.run(labCluster.job("j")).max()).contains(ofHours(2));
    assertThat(RunTimeLimit.run(labCluster.job("j")).since()).isEmpty();
  }

  @Test
  void jobMayNotBeGivenMoreThanItsCluster() {
    timed(ofHours(5));
    var limits = ClusterLimits.NONE.lasting(Optional.of(ofHours(8)));
    var spec = labCluster.cluster().spec().withLimits(limits);
    labCluster.publish(new UserCommand.ApplyCluster(spec, Optional.empty(), false));

    assertThat(retriedFor(ofHours(9)))
        .containsExactly(
            "retry of job j: maxRunTime: of 9h is longer than the maxRunTime of 8h that cluster lab has for each job (limits.maxRunTime in its file); write at most that, or raise it there and mayfly up it");
    assertThat(retriedFor(ofHours(8))).isEmpty();
  }

  @Test
  void outcomeOfTheEarlierEndIsDeleted() {
    labCluster.submit(LabCluster.count("j", 1));
    end();
    var at = outcome().url();

    labCluster.publish(new UserCommand.RetryJob("lab", "j"));

    assertThat(labCluster.job("j").running()).isTrue();
    assertThat(labCluster.objects.find(at)).isEmpty();
  }

  /** The other instance knows the job as it stopped, and the signal of the retry is on its way. */
  @Test
  void instanceThatKnowsTheStopEndsNoRetriedTask() {
    labCluster.submit(LabCluster.count("j", 2));
    var w = labCluster.machine("w");
    w.syncAndWait();
    labCluster.stop("j");
    var other = labCluster.control("b");
    w.desk = other;
    w.release();
    w.syncAndWait();
    labCluster.deliver();
    assertThat(labCluster.end("j")).startsWith("STOPPED");

    w.desk = labCluster.controlPlane;
    labCluster.publish(new UserCommand.RetryJob("lab", "j"));
    w.syncAndWait();
    assertThat(w.held()).isNotEmpty();
    w.desk = other;
    w.syncAndWait();

    assertThat(w.answers.getLast().leases()).isNotEmpty().noneMatch(lease -> lease.recall());
  }

  /** Whether a gang may go on is asked of a copy that may be older than the retry. */
  @Test
  void copyThatDidNotRunIsReadAgain() {
    var lab = new ReconcileFixture(ReconcileFixture.pool(0, 1, ReconcileFixture.ZONE));
    var running = lab.job("j", 1);
    var stopping = running.with(new JobState.Stopping(lab.context.clock().instant(), "a message"));
    var jobs = new JobCache(lab.context, running.cluster());
    lab.ledger.commit(List.of(new LedgerWrite.Put(stopping)));
    assertThat(jobs.running(running.uid())).isFalse();

    lab.ledger.commit(List.of(new LedgerWrite.Put(running)));
    assertThat(jobs.running(running.uid())).isTrue();
  }
}
