package dev.mayfly.core.model.notification;

import dev.mayfly.core.model.cluster.NotificationKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A message to people and their programs. It is published at least once: receivers drop those whose
 * id they have seen.
 *
 * @param kind always {@code Notification}
 * @param id that of the event record, the same for each repeat
 * @param at when it happened, which may be earlier than the message
 * @param cluster the cluster's name when the message was published
 * @param about a kind and a name, for example {@code job/ann/reddit}
 * @param what one word; of a job its result
 * @param job of {@link NotificationKind#JOB_ENDED}
 */
public record Notification(
    String apiVersion,
    String kind,
    String id,
    Instant at,
    String cluster,
    String clusterUid,
    NotificationKind notification,
    String about,
    String what,
    String why,
    Optional<NotifiedJob> job) {
  /** With the constants of its format. */
  public Notification(
      String id,
      Instant at,
      String cluster,
      String clusterUid,
      NotificationKind notification,
      String about,
      String what,
      String why,
      Optional<NotifiedJob> job) {
    this(
        "mayfly.dev/v1",
        "Notification",
        id,
        at,
        cluster,
        clusterUid,
        notification,
        about,
        what,
        why,
        job);
  }

  /** By which subscriptions filter: {@code cluster}, {@code notification} and {@code owner}. */
  public Map<String, String> attributes() {
    var attributes = new TreeMap<String, String>();
    attributes.put("cluster", cluster);
    attributes.put("notification", notification.word());
    job.flatMap(NotifiedJob::owner).ifPresent(owner -> attributes.put("owner", owner));
    return attributes;
  }
}
