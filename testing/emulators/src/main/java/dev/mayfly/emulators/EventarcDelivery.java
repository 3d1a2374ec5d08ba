package dev.mayfly.emulators;

import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers a subscription's messages to a function as Eventarc does: as binary CloudEvents, at
 * least once, and again unless the function answers 2xx.
 */
final class EventarcDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(EventarcDelivery.class);

  /** The longest run of an event function. */
  private static final Duration LIMIT = Duration.ofSeconds(540);

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int AT_ONCE = 20;
  private static final int MAX_TRIES = 25;

  private final PubSubRestClient pubSubRestClient;
  private final String subscription;
  private final String topic;
  private final FunctionInstances function;

  EventarcDelivery(
      PubSubRestClient pubSubRestClient,
      String subscription,
      String topic,
      FunctionInstances function) {
    this.pubSubRestClient = pubSubRestClient;
    this.subscription = subscription;
    this.topic = topic;
    this.function = function;
  }

  /** The body of the event in Eventarc's format. */
  private record Published(PubSubRestClient.PubsubMessage message, String subscription) {}

  /** Creates the subscription and delivers until this process ends. */
  void start() throws IOException, InterruptedException {
    pubSubRestClient.subscribe(subscription, topic);
    Thread.ofVirtual().name("eventarc-" + subscription).start(this::run);
  }

  private void run() {
    while (true)
      try {
        for (var received : pubSubRestClient.pull(subscription, AT_ONCE))
          Thread.ofVirtual().start(() -> deliver(received));
      } catch (IOException away) {
        LOG.info("{}: {}; retrying", subscription, away.getMessage());
        if (!pause()) return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
  }

  private void deliver(PubSubRestClient.Received received) {
    try {
      var taken = taken(received);
      for (var tries = 0; tries < MAX_TRIES && !settled(received, taken); tries++)
        if (!pause()) return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reports the result to Pub/Sub, which otherwise waits ten minutes for the deadline. */
  private boolean settled(PubSubRestClient.Received received, boolean taken)
      throws InterruptedException {
    try {
      if (taken) pubSubRestClient.acknowledge(subscription, received.ackId());
      else pubSubRestClient.extend(subscription, received.ackId(), AGAIN);
      return true;
    } catch (IOException lost) {
      LOG.info("{}: {}; reporting again", subscription, lost.getMessage());
      return false;
    }
  }

  private boolean taken(PubSubRestClient.Received received) throws InterruptedException {
    var id = received.message().messageId();
    try {
      var status =
          function
              .send(url ->
                  request(
                      url,
                      received.message(),
                      pubSubRestClient.path("topics/" + topic),
                      pubSubRestClient.path("subscriptions/" + subscription)))
              .statusCode();
      if (status / 100 == 2) return true;
      LOG.info("message {} for {} got {}", id, subscription, status);
    } catch (IOException died) {
      LOG.info("message {} for {}: {}", id, subscription, died.toString());
    }
    return false;
  }

  /**
   * The call that delivers the message to a function.
   *
   * @param topic the topic's full path in Pub/Sub, like the subscription's
   */
  static HttpRequest request(
      String url, PubSubRestClient.PubsubMessage message, String topic, String subscription) {
    var body = Wire.shared().json(new Published(message, subscription));
    return HttpRequest.newBuilder(URI.create(url))
        .timeout(LIMIT)
        .header("Content-Type", "application/json")
        .header("ce-id", message.messageId())
        .header("ce-source", "//pubsub.googleapis.com/" + topic)
        .header("ce-type", "google.cloud.pubsub.topic.v1.messagePublished")
        .header("ce-specversion", "1.0")
        .header(
            "ce-time", message.publishTime().map(Instant::toString).orElse("1970-01-01T00:00:00Z"))
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private static boolean pause() {
    try {
      Thread.sleep(200);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
