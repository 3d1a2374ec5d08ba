package dev.mayfly.core.model.document;

import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.model.notification.PendingNotification;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code …/events/{id}}: what happened and why, for people. Nothing is decided by what it says; one
 * that owes a notification keeps ticks running.
 *
 * <p>An id begins with a time and {@code what}, so that a list of ids reads as a log, oldest first.
 * Ids of older versions have neither; nothing but people goes by an id's parts.
 *
 * <p>Some events are also told as notifications. Until one is published, the event says so: it is
 * written in the batch of the change itself, so that no crash loses it.
 *
 * @param about the kind and name, for example {@code worker/v4-7f3a} or {@code job/ann/reddit}
 * @param what one word: {@code received, ordered, ready, lost, preempted, drained, deleted,
 *     accepted, succeeded, failed, stopped…}
 * @param notification still to be published; absent if there is none, or once it is published
 * @param messageId of the message whose command this is about; absent otherwise
 */
public record EventRecord(
    String cluster,
    String id,
    Instant at,
    String about,
    String what,
    String why,
    Optional<PendingNotification> notification,
    Optional<String> messageId)
    implements LedgerDocument {
  /** Of a command that was executed; once it is stored, the command is not refused any more. */
  public static final String RECEIVED = "received";

  /** Of a fixed width, so that texts sort as times do; to the millisecond, in UTC. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final int SUFFIX = 10;

  /**
   * The id of an event that is written once: {@code 2026-01-31T10:00:00.000Z-lost-k3v9x0a1b2}.
   *
   * @param random tells apart what happens in one millisecond
   */
  public static String newId(Instant at, String what, String random) {
    var word = what.replaceAll("[^A-Za-z0-9]+", "-");
    return TIME.format(at) + "-" + word + "-" + random.substring(0, SUFFIX);
  }

  /**
   * The id of an event that may be written again, by another process too.
   *
   * @param since a time that each repeat knows alike, and so not that of the write
   * @param cause what each repeat has alike, and no other event
   */
  public static String repeatableId(Instant since, String what, String cause) {
    return newId(since, what, Sha256.of(cause));
  }

  /** The id that older versions gave to the event of a message's first command. */
  public static String formerId(String what, String message) {
    return Sha256.of(what + " " + message + " 0").substring(0, 20);
  }

  /** An event of which nobody is notified. */
  public EventRecord(String cluster, String id, Instant at, String about, String what, String why) {
    this(cluster, id, at, about, what, why, Optional.empty(), Optional.empty());
  }

  /**
   * The event of a message's command: a repeat of the message has the same id.
   *
   * @param what {@link #RECEIVED}, or another word for what became of it
   * @param published when; the same for each delivery
   * @param number of the command in its message
   */
  public static EventRecord ofMessage(
      String cluster,
      String about,
      String what,
      String why,
      String message,
      Instant published,
      int number) {
    var id = repeatableId(published, what, what + " " + message + " " + number);
    var of = Optional.of(message);
    return new EventRecord(cluster, id, published, about, what, why, Optional.empty(), of);
  }

  /** The same about another thing, or another name for it. */
  public EventRecord about(String other) {
    return new EventRecord(cluster, id, at, other, what, why, notification, messageId);
  }

  public EventRecord with(PendingNotification pending) {
    return new EventRecord(cluster, id, at, about, what, why, Optional.of(pending), messageId);
  }

  /** The notification that is still to be published; empty if there is none. */
  public Optional<Notification> message(String clusterName) {
    return notification.map(pending ->
        new Notification(
            id, at, clusterName, cluster, pending.kind(), about, what, why, pending.job()));
  }

  /** The same once its notification is published, or given up. */
  public EventRecord withoutNotification() {
    return new EventRecord(cluster, id, at, about, what, why, Optional.empty(), messageId);
  }

  @Override
  public DocumentKey.OfEventRecord key() {
    return new DocumentKey.OfEventRecord(cluster, id);
  }
}
