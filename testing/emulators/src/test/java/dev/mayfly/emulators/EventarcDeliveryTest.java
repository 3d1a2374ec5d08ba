package dev.mayfly.emulators;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.porttests.GoogleEmulator;
import dev.mayfly.porttests.gcloud.GcloudCommand;
import dev.mayfly.wire.Wire;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Delivery from Google's Pub/Sub emulator to a function, as by Eventarc. */
class EventarcDeliveryTest {
  private final String host = GoogleEmulator.PUBSUB.required();
  private final String project = GoogleEmulator.freshProject();
  private final PubSubRestClient pubSubRestClient = new PubSubRestClient(host, project);
  @TempDir Path folder;

  @BeforeEach
  void topics() throws Exception {
    pubSubRestClient.makeTopics();
  }

  private void deliverTo(StubFunction function) throws Exception {
    new EventarcDelivery(
            pubSubRestClient, "test-jobs", PubSubTopics.JOBS, StubFunction.instances(function))
        .start();
  }

  private static JsonNode json(StubFunction.Heard heard) {
    return JsonMapper.shared().readTree(heard.body());
  }

  private static byte[] data(StubFunction.Heard heard) {
    return Base64.getDecoder().decode(json(heard).at("/message/data").asString());
  }

  @Test
  void messageIsBinaryCloudEvent() throws Exception {
    try (var function = new StubFunction()) {
      deliverTo(function);
      new PubSub(new PubSubSettings(project, Optional.of(host)))
          .bus()
          .send(new Trigger.Expand("c-1", "j"));
      var event = function.next();

      assertThat(event.method()).isEqualTo("POST");
      assertThat(event.header("ce-specversion")).isEqualTo("1.0");
      assertThat(event.header("ce-type"))
          .isEqualTo("google.cloud.pubsub.topic.v1.messagePublished");
      assertThat(event.header("ce-source"))
          .isEqualTo("//pubsub.googleapis.com/projects/" + project + "/topics/mayfly-jobs");
      assertThat(event.header("ce-id")).isEqualTo(json(event).at("/message/messageId").asString());
      assertThat(Instant.parse(event.header("ce-time")).getEpochSecond()).isPositive();
      assertThat(event.header("Content-Type")).isEqualTo("application/json");
      assertThat(json(event).at("/subscription").asString())
          .isEqualTo("projects/" + project + "/subscriptions/test-jobs");
      assertThat(json(event).at("/message/attributes").has(PubSubTopics.TRIGGER)).isTrue();
      assertThat(Wire.shared().trigger(data(event))).isEqualTo(new Trigger.Expand("c-1", "j"));
    }
  }

  @Test
  void messageIsRedeliveredUntilTaken() throws Exception {
    try (var function = new StubFunction(500, StubFunction.DIES, 200)) {
      deliverTo(function);
      new PubSub(new PubSubSettings(project, Optional.of(host)))
          .bus()
          .send(new Trigger.Expand("c-1", "j"));
      var first = function.next();
      var second = function.next();
      var third = function.next();

      assertThat(second.header("ce-id")).isEqualTo(first.header("ce-id"));
      assertThat(third.header("ce-id")).isEqualTo(first.header("ce-id"));
      assertThat(third.body()).isEqualTo(first.body());
    }
  }

  @Test
  void gcloudPublishesAMessageThatArrives() throws Exception {
    GcloudCommand.required();
    try (var function = new StubFunction()) {
      deliverTo(function);
      var message = "{\"kind\": \"Job\", \"name\": \"ü\"}";

      var gcloudCommand = new GcloudCommand(folder, "http://" + host + "/");
      assertThat(gcloudCommand.publish(project, PubSubTopics.JOBS, message))
          .as(gcloudCommand.said())
          .isZero();
      assertThat(new String(data(function.next()), UTF_8)).isEqualTo(message);
    }
  }
}
