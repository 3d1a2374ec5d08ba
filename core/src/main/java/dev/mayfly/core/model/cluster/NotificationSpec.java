package dev.mayfly.core.model.cluster;

import java.util.List;

/**
 * How people are notified besides by the topic.
 *
 * @param on which kinds; all of them if empty
 */
public record NotificationSpec(WebhookSpec webhook, List<NotificationKind> on) {
  public NotificationSpec {
    on = List.copyOf(on);
  }

  public boolean wants(NotificationKind kind) {
    return on.isEmpty() || on.contains(kind);
  }
}
