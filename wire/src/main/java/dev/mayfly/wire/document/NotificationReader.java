package dev.mayfly.wire.document;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.cluster.NotificationSpec;
import dev.mayfly.core.model.cluster.WebhookSpec;
import dev.mayfly.wire.text.WebhookUrl;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads where a cluster's notifications go. */
final class NotificationReader {
  private final FieldReader fieldReader;

  NotificationReader(FieldReader fieldReader) {
    this.fieldReader = fieldReader;
  }

  Optional<NotificationSpec> notifications() {
    if (fieldReader.mapping().get("notifications").isEmpty()) return Optional.empty();
    var notifications = fieldReader.child("notifications");
    return Optional.of(
        new NotificationSpec(webhook(notifications.child("webhook")), on(notifications)));
  }

  private static WebhookSpec webhook(FieldReader webhook) {
    var url = webhook.text("url").orElse("");
    if (!url.isEmpty())
      WebhookUrl.problem(url)
          .ifPresent(problem -> webhook.addProblem("url", "'" + url + "' " + problem));
    return new WebhookSpec(url, webhook.text("secret").orElse(""));
  }

  /** The schema allows no other words. */
  private static List<NotificationKind> on(FieldReader notifications) {
    var words = notifications.texts("on");
    return Arrays.stream(NotificationKind.values())
        .filter(kind -> words.contains(kind.word()))
        .toList();
  }
}
