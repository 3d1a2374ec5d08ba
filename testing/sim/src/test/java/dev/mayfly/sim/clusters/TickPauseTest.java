package dev.mayfly.sim.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.LateWork;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TickPauseTest {
  private final LabCluster labCluster = new LabCluster(4);

  @Test
  void idleTickPausesTicks() {
    tick();

    assertThat(labCluster.schedule.paused()).isTrue();
    assertThat(want()).isEqualTo(TickSchedule.Want.PAUSE);
  }

  @Test
  void jobResumesTicks() {
    tick();

    labCluster.submit(LabCluster.count("a", 3));

    assertThat(labCluster.schedule.paused()).isFalse();
    assertThat(want()).isEqualTo(TickSchedule.Want.RUN);
  }

  @Test
  void refusedMessageDoesNotResumeTicks() {
    tick();

    labCluster.publishLate(new UserCommand.StopJob("nobody", "a"));

    assertThat(labCluster.schedule.paused()).isTrue();
  }

  @Test
  void liveJobKeepsTicks() {
    labCluster.submit(LabCluster.count("a", 3));
    tick();

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void jobArrivingDuringPauseIsFound() {
    labCluster.schedule.beforePause(() -> labCluster.submit(LabCluster.count("a", 3)));
    tick();

    assertThat(labCluster.schedule.paused()).isFalse();
    assertThat(want()).isEqualTo(TickSchedule.Want.RUN);
  }

  private static boolean storesJob(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w -> w instanceof LedgerWrite.Create c && c.document() instanceof Job);
  }

  private void clusterGoes() {
    labCluster.publish(new UserCommand.DownCluster("lab"));
    tick();
    assertThat(labCluster.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
  }

  @Test
  void jobStoredAfterItsClusterIsGoneEnds() {
    labCluster.ledger.before(TickPauseTest::storesJob, this::clusterGoes);
    labCluster.submit(LabCluster.count("a", 3));

    assertThat(labCluster.schedule.paused()).isFalse();
    assertEndsWithItsCluster();
  }

  /** The process dies after its commit, and Pub/Sub delivers the message again. */
  @Test
  void redeliveryEndsJobOfClusterThatIsGone() {
    var message =
        labCluster.message(new UserCommand.SubmitJob(LabCluster.count("a", 3), Optional.empty()));
    labCluster.ledger.before(TickPauseTest::storesJob, this::clusterGoes);
    labCluster.ledger.unknown(TickPauseTest::storesJob);
    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(message))
        .isInstanceOf(UnavailableException.class);
    labCluster.ledger.unknown(_ -> false);
    labCluster.controlPlane.commandHandler().handle(message);

    assertEndsWithItsCluster();
  }

  @Test
  void retryInClusterThatIsGoneEnds() {
    labCluster.submit(LabCluster.count("a", 3));
    labCluster.advance(1_000);
    labCluster.stop("a");
    labCluster.deliver();
    assertThat(labCluster.job("a").state().ended()).isTrue();
    labCluster.ledger.before(TickPauseTest::reopensJob, this::clusterGoes);
    labCluster.publishLate(new UserCommand.RetryJob("lab", "a"));
    assertThat(labCluster.job("a").state().ended()).isFalse();

    assertEndsWithItsCluster();
  }

  /** The process dies after its commit, and nothing names the job again. */
  @Test
  void cleanupFindsLateJobOfClusterThatIsGone() {
    var message =
        labCluster.message(new UserCommand.SubmitJob(LabCluster.count("a", 3), Optional.empty()));
    labCluster.ledger.before(TickPauseTest::storesJob, this::clusterGoes);
    labCluster.ledger.unknown(TickPauseTest::storesJob);
    assertThatThrownBy(() -> labCluster.controlPlane.commandHandler().handle(message))
        .isInstanceOf(UnavailableException.class);
    labCluster.ledger.unknown(_ -> false);
    assertThat(labCluster.schedule.paused()).isTrue();
    labCluster.advance(3_600_000);

    labCluster.controlPlane.handle(new Trigger.CollectOrphans());

    assertThat(labCluster.schedule.paused()).isFalse();
    assertEndsWithItsCluster();
  }

  /** The process that closes the cluster has seen no job in it. */
  @Test
  void clusterIsNotClosedOverLateWork() {
    labCluster.publish(new UserCommand.DownCluster("lab"));
    labCluster.ledger.before(
        TickPauseTest::closes, () -> LateWork.end(labCluster.store, labCluster.uid));

    tick();
    assertThat(labCluster.cluster().phase()).isEqualTo(Cluster.Phase.GOING);
    labCluster.advance(60_000);
    tick();
    assertThat(labCluster.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
  }

  private static boolean closes(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w ->
            w instanceof LedgerWrite.Update u
                && u.document() instanceof Cluster cluster
                && cluster.phase() == Cluster.Phase.GONE);
  }

  private static boolean reopensJob(List<LedgerWrite> ledgerWrites) {
    return ledgerWrites.stream()
        .anyMatch(w ->
            w instanceof LedgerWrite.Update u
                && u.document() instanceof Job job
                && !job.state().ended());
  }

  private void assertEndsWithItsCluster() {
    for (var i = 0; i < 4; i++) {
      labCluster.advance(60_000);
      tick();
      labCluster.deliver();
    }
    assertThat(labCluster.end("a")).startsWith("STOPPED");
    assertThat(labCluster.cluster().phase()).isEqualTo(Cluster.Phase.GONE);
  }

  @Test
  void latePauseIsUndone() {
    tick();
    labCluster.submit(LabCluster.count("a", 3));
    labCluster.schedule.pause();
    tick();

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  /** Restores an old wanted state from a backup, while the schedule is paused. */
  private void restored() {
    labCluster.submit(LabCluster.count("a", 3));
    var longAgo = labCluster.time.instant().minus(Duration.ofHours(30));
    labCluster.ledger.commit(
        List.of(new LedgerWrite.Put(new TickSchedule(TickSchedule.Want.RUN, longAgo))));
    labCluster.schedule.pause();
  }

  @Test
  void hourlyCheckDetectsRestoredLedger() {
    restored();

    labCluster.controlPlane.handle(new Trigger.CollectOrphans());

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void firstCheckAfterRestoreResumesTicks() {
    restored();

    labCluster.controlPlane.handle(new Trigger.Reconcile(labCluster.uid));

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void unstoredResumeIsRepeated() {
    tick();
    labCluster.schedule.resume();
    labCluster.submit(LabCluster.count("a", 3));

    assertThat(labCluster.schedule.paused()).isFalse();
    assertThat(want()).isEqualTo(TickSchedule.Want.RUN);
  }

  /** The other instance read the old state, and paused after this one had resumed. */
  @Test
  void resumerDetectsConcurrentPause() {
    tick();
    labCluster.ledger.before(
        batch -> batch.stream().anyMatch(TickPauseTest::running),
        () -> labCluster.schedule.pause());

    labCluster.submit(LabCluster.count("a", 3));

    assertThat(want()).isEqualTo(TickSchedule.Want.RUN);
    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void lateResumeDoesNotStandOverNewPause() {
    tick();
    var key = new DocumentKey.OfTickSchedule();
    var paused = labCluster.ledger.read(key).orElseThrow();
    var run = new TickSchedule(TickSchedule.Want.RUN, paused.value().since());
    tick();

    var late = labCluster.ledger.commit(List.of(new LedgerWrite.Update(run, paused.version())));

    assertThat(late).isInstanceOf(CommitResult.Conflict.class);
    assertThat(want()).isEqualTo(TickSchedule.Want.PAUSE);
  }

  private static boolean running(LedgerWrite ledgerWrite) {
    return ledgerWrite instanceof LedgerWrite.Update update
        && update.document() instanceof TickSchedule tickSchedule
        && tickSchedule.want() == TickSchedule.Want.RUN;
  }

  @Test
  void failedRecheckUndoesPause() {
    labCluster.schedule.beforePause(() -> labCluster.ledger.away = true);

    assertThat(labCluster.controlPlane.handle(new Trigger.Tick()).problems()).isNotEmpty();

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void oneOfTwoHourlyChecksMayFail() {
    labCluster.submit(LabCluster.count("a", 3));
    labCluster.store.commit(
        List.of(
            new LedgerWrite.Put(
                new TickSchedule(TickSchedule.Want.RUN, labCluster.time.instant()))));
    labCluster.schedule.pause();
    labCluster.advance(Duration.ofMinutes(119).toMillis());

    labCluster.controlPlane.handle(new Trigger.CollectOrphans());

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void hourlyCleanupResumesTicksForWork() {
    labCluster.submit(LabCluster.count("a", 3));
    labCluster.store.commit(
        List.of(
            new LedgerWrite.Put(
                new TickSchedule(TickSchedule.Want.PAUSE, labCluster.time.instant()))));
    labCluster.schedule.pause();

    labCluster.controlPlane.handle(new Trigger.CollectOrphans());

    assertThat(labCluster.schedule.paused()).isFalse();
  }

  private void tick() {
    assertThat(labCluster.controlPlane.handle(new Trigger.Tick()).problems()).isEmpty();
  }

  private TickSchedule.Want want() {
    return labCluster.store.read(new DocumentKey.OfTickSchedule()).orElseThrow().value().want();
  }
}
