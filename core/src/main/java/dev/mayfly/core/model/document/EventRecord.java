package dev.mayfly.core.model.document;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.model.notification.PendingNotification;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code …/events/{id}}: what happened and why, for people. Nothing is decided by what it says; one
 * that owes a notification keeps ticks running.
 *
 * <p>Some events are also told as notifications. Until one is published, the event says so: it is
 * written in the batch of the change itself, so that no crash loses it.
 *
 * @param about the kind and name, for example {@code worker/v4-7f3a} or {@code job/ann/reddit}
 * @param what one word: {@code received, launched, ready, lost, preempted, drained, deleted,
 *     accepted, succeeded, failed, stopped…}
 * @param notification still to be published; absent if there is none, or once it is published
 */
public record EventRecord(
    String cluster,
    String id,
    Instant at,
    String about,
    String what,
    String why,
    Optional<PendingNotification> notification)
    implements LedgerDocument {
  /** Of a command that was executed; once it is stored, the command is not refused any more. */
  public static final String RECEIVED = "received";

  private static final int ID = 20;

  /**
   * The id of the event of a message's command: a repeat of the message has the same.
   *
   * @param what {@link #RECEIVED}, or another word for what became of it
   * @param number of the command in its message
   */
  public static String idOf(String what, String message, int number) {
    return Sha256.of(what + " " + message + " " + number).substring(0, ID);
  }

  /** An event of which nobody is notified. */
  public EventRecord(String cluster, String id, Instant at, String about, String what, String why) {
    this(cluster, id, at, about, what, why, Optional.empty());
  }

  public EventRecord with(PendingNotification pending) {
    return new EventRecord(cluster, id, at, about, what, why, Optional.of(pending));
  }

  /** The notification that is still to be published; empty if there is none. */
  public Optional<Notification> message(String clusterName) {
    return notification.map(pending ->
        new Notification(
            id, at, clusterName, cluster, pending.kind(), about, what, why, pending.job()));
  }

  /** The same once its notification is published, or given up. */
  public EventRecord withoutNotification() {
    return new EventRecord(cluster, id, at, about, what, why);
  }

  @Override
  public DocumentKey.OfEventRecord key() {
    return new DocumentKey.OfEventRecord(cluster, id);
  }
}
