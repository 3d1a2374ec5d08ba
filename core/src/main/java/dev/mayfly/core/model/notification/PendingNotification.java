package dev.mayfly.core.model.notification;

import dev.mayfly.core.model.cluster.NotificationKind;
import java.util.Optional;

/**
 * Marks an event record whose notification has not been published yet.
 *
 * @param job of {@link NotificationKind#JOB_ENDED}
 */
public record PendingNotification(NotificationKind kind, Optional<NotifiedJob> job) {
  public PendingNotification(NotificationKind kind) {
    this(kind, Optional.empty());
  }

  public static PendingNotification jobEnded(NotifiedJob job) {
    return new PendingNotification(NotificationKind.JOB_ENDED, Optional.of(job));
  }
}
