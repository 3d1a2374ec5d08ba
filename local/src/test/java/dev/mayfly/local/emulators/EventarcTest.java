package dev.mayfly.local.emulators;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.core.model.Hint;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.porttests.Emulator;
import dev.mayfly.wire.Wire;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From Google's Pub/Sub emulator to a function, as Eventarc brings a message there. */
class EventarcTest {
  private final String host = Emulator.PUBSUB.required();
  private final String project = Emulator.freshProject();
  private final Subscriptions subscriptions = new Subscriptions(host, project);
  @TempDir Path folder;

  @BeforeEach
  void topics() throws Exception {
    subscriptions.makeTopics();
  }

  private void deliverTo(StubFunction function) throws Exception {
    new Eventarc(subscriptions, "test-jobs", Topics.JOBS, StubFunction.instances(function)).start();
  }

  private static JsonNode json(StubFunction.Heard heard) {
    return JsonMapper.shared().readTree(heard.body());
  }

  private static byte[] data(StubFunction.Heard heard) {
    return Base64.getDecoder().decode(json(heard).at("/message/data").asString());
  }

  @Test
  void aMessageIsABinaryCloudEventWithThePubSubMessageInItsBody() throws Exception {
    try (var function = new StubFunction()) {
      deliverTo(function);
      PubSub.bus(new PubSubSettings(project, Optional.of(host))).send(new Hint.Expand("c-1", "j"));
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
      assertThat(json(event).at("/message/attributes").has(Topics.HINT)).isTrue();
      assertThat(Wire.shared().hint(data(event))).isEqualTo(new Hint.Expand("c-1", "j"));
    }
  }

  @Test
  void whatAFunctionDoesNotTakeComesAgainUntilItDoes() throws Exception {
    try (var function = new StubFunction(500, StubFunction.DIES, 200)) {
      deliverTo(function);
      PubSub.bus(new PubSubSettings(project, Optional.of(host))).send(new Hint.Expand("c-1", "j"));
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
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(p -> Files.isExecutable(Path.of(p, "gcloud"))),
        "gcloud is not on the PATH");
    try (var function = new StubFunction()) {
      deliverTo(function);
      var message = "{\"kind\": \"Job\", \"name\": \"ü\"}";

      assertThat(gcloud("--message=" + message)).as(log()).isZero();
      assertThat(new String(data(function.next()), UTF_8)).isEqualTo(message);
    }
  }

  private int gcloud(String option) throws Exception {
    var command =
        new ProcessBuilder(
            "gcloud", "pubsub", "topics", "publish", Topics.JOBS, "--project=" + project, option);
    command
        .environment()
        .putAll(
            Map.of(
                "CLOUDSDK_CONFIG",
                Files.createDirectories(folder.resolve("config")).toString(),
                "CLOUDSDK_AUTH_DISABLE_CREDENTIALS",
                "true",
                "CLOUDSDK_CORE_DISABLE_PROMPTS",
                "1",
                "CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB",
                "http://" + host + "/"));
    var process =
        command
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("gcloud.log").toFile())
            .start();
    assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("gcloud ends").isTrue();
    return process.exitValue();
  }

  private String log() throws Exception {
    return Files.readString(folder.resolve("gcloud.log"));
  }
}
