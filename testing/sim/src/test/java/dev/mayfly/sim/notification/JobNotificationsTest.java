package dev.mayfly.sim.notification;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An ended job is told, at once or by a tick, and ticks go on until it is. */
class JobNotificationsTest {
  private final LabCluster labCluster = new LabCluster();

  private void stopped(String job) {
    labCluster.submit(LabCluster.count(job, 3));
    labCluster.stop(job);
    labCluster.deliver();
    assertThat(labCluster.end(job)).startsWith("STOPPED");
  }

  private List<String> tick(Duration later) {
    labCluster.time.advance(later);
    return labCluster.controlPlane.handle(new Trigger.Tick()).problems();
  }

  private List<EventRecord> owed() {
    return labCluster
        .store
        .query(new LedgerQuery.PendingNotifications(9))
        .requireComplete()
        .stream()
        .map(stored -> stored.value())
        .toList();
  }

  @Test
  void endedJobIsToldAtOnce() {
    stopped("a");

    assertThat(labCluster.topic.told).hasSize(1);
    var told = labCluster.topic.told.getFirst();
    assertThat(told)
        .extracting(
            Notification::notification,
            Notification::cluster,
            Notification::clusterUid,
            Notification::about,
            Notification::what)
        .containsExactly(NotificationKind.JOB_ENDED, "lab", labCluster.uid, "job/a", "stopped");
    assertThat(told.job().orElseThrow().uid()).isEqualTo(labCluster.job("a").uid());
    assertThat(told.job().orElseThrow().outcome())
        .isEqualTo(labCluster.job("a").state().end().orElseThrow().outcome());
    assertThat(owed()).isEmpty();
  }

  @Test
  void finishedJobIsToldWithItsTotals() {
    labCluster.submit(LabCluster.count("a", 2));
    var w = labCluster.machine("w");
    w.prefetch = Map.of(labCluster.job("a").uid(), 2L);
    while (labCluster.open("a") > 0) {
      w.syncAndWait();
      w.finish();
    }
    labCluster.deliver();

    var end = labCluster.job("a").state().end().orElseThrow();
    assertThat(labCluster.topic.told).hasSize(1);
    assertThat(labCluster.topic.told.getFirst().what())
        .isEqualTo(end.result().name().toLowerCase(Locale.ROOT));
    assertThat(labCluster.topic.told.getFirst().job().orElseThrow().totals())
        .isEqualTo(end.totals());
    assertThat(end.totals().tasks()).isEqualTo(2);
  }

  @Test
  void missingTopicFailsNoCall() {
    labCluster.topic.away = true;

    stopped("a");

    assertThat(labCluster.topic.told).isEmpty();
    assertThat(owed()).extracting(EventRecord::about).containsExactly("job/a");
  }

  @Test
  void tickTellsWhatWasMissedOnce() {
    labCluster.topic.away = true;
    stopped("a");
    var id = owed().getFirst().id();

    labCluster.topic.away = false;
    tick(Duration.ofMinutes(1));
    tick(Duration.ofMinutes(1));

    assertThat(labCluster.topic.told).extracting(Notification::id).containsExactly(id);
    assertThat(owed()).isEmpty();
  }

  /** The call that wrote it may still be publishing. */
  @Test
  void tickLeavesYoungEventsToTheirCall() {
    labCluster.topic.away = true;
    stopped("a");
    labCluster.topic.away = false;

    tick(Duration.ofSeconds(10));

    assertThat(labCluster.topic.told).isEmpty();
    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void retriedJobIsToldAsItEnded() {
    labCluster.topic.away = true;
    stopped("a");
    var end = labCluster.job("a").state().end().orElseThrow();
    labCluster.publishLate(new UserCommand.RetryJob("lab", "a"));
    labCluster.deliver();
    assertThat(labCluster.job("a").state().ended()).isFalse();

    labCluster.topic.away = false;
    tick(Duration.ofMinutes(1));

    assertThat(labCluster.topic.told).hasSize(1);
    assertThat(labCluster.topic.told.getFirst().job().orElseThrow().totals())
        .isEqualTo(end.totals());
  }

  @Test
  void ticksPauseOnlyWhenAllAreTold() {
    labCluster.topic.away = true;
    stopped("a");

    assertThat(tick(Duration.ofMinutes(1)))
        .anyMatch(line -> line.contains("notification of event") && line.contains("away"));
    assertThat(labCluster.schedule.paused()).isFalse();

    labCluster.topic.away = false;
    tick(Duration.ofMinutes(1));
    assertThat(labCluster.schedule.paused()).isTrue();
  }

  /** It is live when a pause begins to ask for work, and ends before the answer. */
  @Test
  void jobThatEndsDuringPauseKeepsTicks() {
    labCluster.topic.away = true;
    labCluster.put("gs://lab/out/a/0.COMPLETE");
    labCluster.ledger.before(
        batch -> batch.stream().anyMatch(w -> w.key() instanceof DocumentKey.OfTickSchedule),
        () -> labCluster.submit(LabCluster.count("a", 1)));
    labCluster.schedule.beforePause(() -> labCluster.ledger.beforeRead(3, labCluster::deliver));

    tick(Duration.ofMinutes(1));

    assertThat(labCluster.job("a").state().ended()).isTrue();
    assertThat(owed()).hasSize(1);
    assertThat(labCluster.schedule.paused()).isFalse();
  }

  @Test
  void unansweredQuestionForNotificationsPausesNothing() {
    var paused = new AtomicBoolean();
    labCluster.schedule.beforePause(() -> paused.set(true));
    labCluster.ledger.unanswered(query -> query instanceof LedgerQuery.PendingNotifications);

    assertThat(tick(Duration.ofMinutes(1))).anyMatch(line -> line.contains("no answer"));

    assertThat(paused).isFalse();
  }

  @Test
  void aDayLaterItIsGivenUp() {
    labCluster.topic.away = true;
    stopped("a");

    var lines = tick(Duration.ofHours(25));

    assertThat(lines).anyMatch(line -> line.contains("given up") && line.contains("job/a stopped"));
    assertThat(owed()).isEmpty();
    assertThat(labCluster.schedule.paused()).isTrue();
  }

  /** Nobody can mend what no tick can read. */
  @Test
  void unreadableEventKeepsNoTicks() {
    labCluster.topic.away = true;
    stopped("a");
    labCluster.store.spoil(owed().getFirst().key());

    tick(Duration.ofMinutes(1));

    assertThat(labCluster.schedule.paused()).isTrue();
  }

  /** Another process has told it; the one that comes later changes nothing. */
  @Test
  void twoProcessesTellOneEventWithoutHarm() {
    labCluster.topic.away = true;
    stopped("a");
    var event = owed().getFirst();
    labCluster.topic.away = false;
    labCluster.ledger.before(
        batch -> batch.stream().anyMatch(w -> w.key().equals(event.key())),
        () -> labCluster.store.touch(event.key()));

    tick(Duration.ofMinutes(1));
    tick(Duration.ofMinutes(1));

    assertThat(labCluster.topic.told).extracting(Notification::id).containsOnly(event.id());
    assertThat(owed()).isEmpty();
  }

  @Test
  void eventsOfOtherKindsAreNotTold() {
    labCluster.ledger.commit(
        List.of(
            new LedgerWrite.Put(
                new EventRecord(
                    labCluster.uid,
                    "e",
                    labCluster.time.instant(),
                    "worker/w",
                    "ready",
                    "is up"))));

    tick(Duration.ofMinutes(1));

    assertThat(labCluster.topic.told).isEmpty();
  }
}
