package dev.mayfly.local.emulators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.porttests.BusContract;
import dev.mayfly.porttests.Emulator;
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
class TopicBusTest extends BusContract {
  private final String host = Emulator.PUBSUB.required();
  private final String project = Emulator.freshProject();
  private final BlockingQueue<Hint> arrived = new LinkedBlockingQueue<>();
  private Subscriptions subscriptions;
  private Bus bus;

  @BeforeEach
  void subscribe() throws IOException, InterruptedException {
    subscriptions = new Subscriptions(host, project);
    subscriptions.makeTopics();
    for (var topic : Topics.ALL) {
      subscriptions.subscribe("test-" + topic, topic);
      Thread.ofVirtual().start(() -> pull(topic));
    }
    bus = PubSub.bus(new PubSubSettings(project, Optional.of(host)));
  }

  @Override
  protected Bus bus() {
    return bus;
  }

  @Override
  protected Hint next() throws InterruptedException {
    var next = arrived.poll(120, TimeUnit.SECONDS);
    assertThat(next).as("a hint within two minutes").isNotNull();
    return next;
  }

  /** Goes on until the emulator ends. */
  private void pull(String topic) {
    try {
      while (true)
        for (var received : subscriptions.pull("test-" + topic, 10)) {
          var data = Base64.getDecoder().decode(received.message().data().orElseThrow());
          var ours = received.message().attributes().orElseThrow().containsKey(Topics.HINT);
          var hint = Wire.shared().hint(data);
          if (ours && Topics.of(hint).equals(topic)) arrived.add(hint);
          subscriptions.acknowledge("test-" + topic, received.ackId());
        }
    } catch (IOException | InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aTopicThatIsNotThereIsUnavailableAndNoBug() {
    var lost = PubSub.bus(new PubSubSettings("no-such-project", Optional.of(host)));

    assertThatThrownBy(() -> lost.send(new Hint.Tick()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("mayfly-ticks");
  }
}
