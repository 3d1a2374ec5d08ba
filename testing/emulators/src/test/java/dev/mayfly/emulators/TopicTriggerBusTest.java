package dev.mayfly.emulators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.porttests.GoogleEmulator;
import dev.mayfly.porttests.TriggerBusContract;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The official client against the official emulator. */
class TopicTriggerBusTest extends TriggerBusContract {
  private final String host = GoogleEmulator.PUBSUB.required();
  private final String project = GoogleEmulator.freshProject();
  private final BlockingQueue<Trigger> arrived = new LinkedBlockingQueue<>();
  private PubSubRestClient pubSubRestClient;
  private TriggerBus triggerBus;

  @BeforeEach
  void subscribe() throws IOException, InterruptedException {
    pubSubRestClient = new PubSubRestClient(host, project);
    pubSubRestClient.makeTopics();
    for (var topic : PubSubTopics.ALL) {
      pubSubRestClient.subscribe("test-" + topic, topic);
      Thread.ofVirtual().start(() -> pull(topic));
    }
    triggerBus = new PubSub(new PubSubSettings(project, Optional.of(host))).bus();
  }

  @Override
  protected TriggerBus bus() {
    return triggerBus;
  }

  @Override
  protected Trigger next() throws InterruptedException {
    var next = arrived.poll(120, TimeUnit.SECONDS);
    assertThat(next).as("a trigger within two minutes").isNotNull();
    return next;
  }

  /** Goes on until the emulator ends. */
  private void pull(String topic) {
    try {
      while (true)
        for (var received : pubSubRestClient.pull("test-" + topic, 10)) {
          var data = Base64.getDecoder().decode(received.message().data().orElseThrow());
          var ours =
              received.message().attributes().orElseThrow().containsKey(PubSubTopics.TRIGGER);
          var trigger = Wire.shared().trigger(data);
          if (ours && PubSubTopics.of(trigger).equals(topic)) arrived.add(trigger);
          pubSubRestClient.acknowledge("test-" + topic, received.ackId());
        }
    } catch (IOException | InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void missingTopicIsUnavailable() {
    var lost = new PubSub(new PubSubSettings("no-such-project", Optional.of(host))).bus();

    assertThatThrownBy(() -> lost.send(new Trigger.Tick()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("mayfly-ticks");
  }
}
