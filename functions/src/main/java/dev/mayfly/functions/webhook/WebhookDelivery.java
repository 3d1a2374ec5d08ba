package dev.mayfly.functions.webhook;

import dev.mayfly.core.control.WebhookEvents;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.WebhookSpec;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.wire.Wire;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

/**
 * Posts a notification to the webhook of its cluster, if the cluster has one that wants it.
 *
 * <p>What may succeed later is tried again with the message; what cannot becomes an event of the
 * cluster. Neither holds the secret, the body or the answer.
 */
public final class WebhookDelivery {
  /** The answers after which the same call may succeed, besides those from 500. */
  private static final Set<Integer> PASSING = Set.of(408, 425, 429);

  /** How long a missing permission may be one that has not spread yet. */
  private static final Duration SPREADING = Duration.ofMinutes(10);

  private final Ledger ledger;
  private final WebhookAccess access;
  private final InstantSource clock;
  private final WebhookEvents events;
  private final WebhookCall call;

  public WebhookDelivery(Ledger ledger, WebhookAccess access, InstantSource clock) {
    this.ledger = ledger;
    this.access = access;
    this.clock = clock;
    events = new WebhookEvents(ledger, clock);
    call = new WebhookCall(access.reach(), clock);
  }

  /**
   * Posts the notification; a repeat posts it again, with the same {@code webhook-id}.
   *
   * @param publishedAt when its message was published
   * @throws UnavailableException if the message must be delivered again
   */
  public void deliver(Notification notification, Instant publishedAt) {
    var cluster = ledger.read(new DocumentKey.OfCluster(notification.clusterUid()));
    var wanted =
        cluster
            .flatMap(stored -> stored.value().spec().notifications())
            .filter(spec -> spec.wants(notification.notification()));
    if (wanted.isEmpty()) return;
    try {
      post(notification, wanted.get().webhook());
    } catch (InvalidInputException wrong) {
      events.refused(notification, wrong.getMessage());
    } catch (MissingPermissionException missing) {
      if (publishedAt.plus(SPREADING).isAfter(clock.instant())) throw missing;
      events.refused(notification, missing.getMessage());
    }
  }

  private void post(Notification notification, WebhookSpec webhook) {
    var url = url(webhook);
    WebhookAddress.problem(url, access.reach())
        .ifPresent(problem -> {
          throw new InvalidInputException("the webhook's url", problem);
        });
    var signature = new WebhookSignature(access.secrets().value(webhook.secret()));
    var body = Wire.shared().json(notification);
    var status = status(url, signature.headers(notification.id(), clock.instant(), body), body);
    if (status / 100 == 2) return;
    if (status >= 500 || PASSING.contains(status))
      throw new UnavailableException("the webhook at " + url.getHost() + " answered " + status);
    throw new InvalidInputException(
        "the webhook at " + url.getHost(),
        "answered %d%s; check notifications.webhook of the cluster, and the receiver"
            .formatted(status, status / 100 == 3 ? ", and no redirect is followed" : ""));
  }

  /** What the call cannot be made of would fail each time, so it is refused like a wrong answer. */
  private int status(URI url, Map<String, String> headers, byte[] body) {
    try {
      return call.post(url, headers, body);
    } catch (MayflyException known) {
      throw known;
    } catch (RuntimeException wrong) {
      throw new InvalidInputException(
          "the webhook at " + url.getHost(),
          "cannot be called (%s); check notifications.webhook.url of the cluster"
              .formatted(wrong.getClass().getSimpleName()));
    }
  }

  /** Stored clusters are edited by hand. */
  @SuppressWarnings("UnusedException") // It has nothing to add.
  private static URI url(WebhookSpec webhook) {
    try {
      return URI.create(webhook.url());
    } catch (IllegalArgumentException noUrl) {
      throw new InvalidInputException("the webhook's url", "is none; write https://HOST/PATH");
    }
  }
}
