package dev.mayfly.core.control;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.core.state.FailureLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Publishes the notifications that event records owe, and then marks the events as published.
 *
 * <p>The process that wrote an event publishes at once, inside the call that wrote it, and a
 * failure of that fails nothing. The tick publishes what was missed. So each is published at least
 * once, unless the topic takes none for a day.
 */
final class NotificationPublisher {
  /** How long a notification is tried: without a topic, ticks would otherwise run for ever. */
  static final Duration TRIED = Duration.ofHours(24);

  /** The call that wrote a younger event may still be publishing it. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(20);

  /** The most notifications of one tick; the next one continues. */
  private static final int MOST = 50;

  private final Ledger ledger;
  private final NotificationTopic topic;
  private final InstantSource clock;
  private volatile boolean leftPending;

  NotificationPublisher(Ledger ledger, NotificationTopic topic, InstantSource clock) {
    this.ledger = ledger;
    this.topic = topic;
    this.clock = clock;
  }

  /** Publishes what a batch owes, which was just committed with these versions. */
  void publish(List<LedgerWrite> committed, List<String> versions) {
    for (var i = 0; i < committed.size(); i++) {
      var owing = owing(committed.get(i));
      if (owing.isEmpty()) continue;
      try {
        publish(new VersionedDocument<>(owing.get(), versions.get(i)));
      } catch (MayflyException _) {
        // The tick finds it.
      }
    }
  }

  /** The event of a write that still owes a notification. */
  private static Optional<EventRecord> owing(LedgerWrite ledgerWrite) {
    var document =
        switch (ledgerWrite) {
          case LedgerWrite.Create create -> Optional.of(create.document());
          case LedgerWrite.Put put -> Optional.of(put.document());
          // No event is changed but to settle it.
          case LedgerWrite.Update _, LedgerWrite.Delete _, LedgerWrite.Signal _ ->
              Optional.<LedgerDocument>empty();
        };
    return document
        .filter(EventRecord.class::isInstance)
        .map(EventRecord.class::cast)
        .filter(event -> event.notification().isPresent());
  }

  /** A repeat publishes nothing; after a crash in between, the notification is published again. */
  private void publish(VersionedDocument<EventRecord> stored) {
    stored.value().message(clusterName(stored.value())).ifPresent(topic::publish);
    settle(stored);
  }

  /** Its uid if it has no readable document. */
  private String clusterName(EventRecord event) {
    try {
      return ledger
          .read(new DocumentKey.OfCluster(event.cluster()))
          .map(cluster -> cluster.value().spec().name())
          .orElse(event.cluster());
    } catch (UnreadableDocumentException _) {
      return event.cluster();
    }
  }

  /** A conflict means that another process has published it too. */
  private void settle(VersionedDocument<EventRecord> stored) {
    var settled = stored.value().withoutNotification();
    var _ = ledger.commit(List.of(new LedgerWrite.Update(settled, stored.version())));
  }

  /** Publishes what was missed; each failure is reported, and the next tick tries again. */
  void publishMissed(FailureLog failureLog) {
    var now = clock.instant();
    // A query that fails leaves it so: ticks go on.
    leftPending = true;
    var pending = ledger.query(new LedgerQuery.PendingNotifications(MOST));
    for (var stored : pending.readable(failureLog::unreadable)) {
      var event = stored.value();
      var place = "notification of event " + event.id();
      if (event.at().plus(UNDER_WAY).isAfter(now)) continue;
      if (event.at().plus(TRIED).isBefore(now)) {
        failureLog.note(
            place, "given up after %s: %s %s".formatted(TRIED, event.about(), event.what()));
        failureLog.guard(place, () -> settle(stored));
      } else failureLog.guard(place, () -> publish(stored));
    }
    leftPending = !pending.readableOnly().isEmpty() && isPending();
  }

  /** Whether the last tick in this process left something to publish; costs no read. */
  boolean leftPending() {
    return leftPending;
  }

  /** Whether a tick would find something to publish. What is unreadable, no tick can publish. */
  boolean isPending() {
    return !ledger.query(new LedgerQuery.PendingNotifications(MOST)).readableOnly().isEmpty();
  }
}
