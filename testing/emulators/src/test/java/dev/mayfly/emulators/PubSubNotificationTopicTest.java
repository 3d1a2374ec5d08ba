package dev.mayfly.emulators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.porttests.GoogleEmulator;
import dev.mayfly.porttests.NotificationTopicContract;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The official client against the official emulator, with a subscriber of its own. */
class PubSubNotificationTopicTest extends NotificationTopicContract {
  private static final String SUBSCRIPTION = "somebody";

  private final String host = GoogleEmulator.PUBSUB.required();
  private final String project = GoogleEmulator.freshProject();
  private final PubSubRestClient pubSubRestClient = new PubSubRestClient(host, project);
  private final Queue<Told> arrived = new ArrayDeque<>();
  private final NotificationTopic topic =
      new PubSub(new PubSubSettings(project, Optional.of(host))).notifications();

  @BeforeEach
  void subscribe() throws IOException, InterruptedException {
    pubSubRestClient.makeTopics();
    pubSubRestClient.subscribe(SUBSCRIPTION, PubSubTopics.NOTIFICATIONS);
  }

  @Override
  protected NotificationTopic topic() {
    return topic;
  }

  /** Each pull waits for messages at the emulator. */
  @Override
  protected Told next() throws InterruptedException {
    try {
      for (var tries = 0; arrived.isEmpty() && tries < 20; tries++) pull();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    assertThat(arrived).as("a notification").isNotEmpty();
    return arrived.remove();
  }

  private void pull() throws IOException, InterruptedException {
    for (var received : pubSubRestClient.pull(SUBSCRIPTION, 1)) {
      var data = Base64.getDecoder().decode(received.message().data().orElseThrow());
      arrived.add(
          new Told(
              Wire.shared().read(Notification.class, data),
              received.message().attributes().orElseThrow()));
      pubSubRestClient.acknowledge(SUBSCRIPTION, received.ackId());
    }
  }

  @Test
  void missingTopicIsUnavailable() {
    var lost = new PubSub(new PubSubSettings("no-such-project", Optional.of(host)));

    assertThatThrownBy(() -> lost.notifications().publish(ended()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("mayfly-notifications");
  }
}
