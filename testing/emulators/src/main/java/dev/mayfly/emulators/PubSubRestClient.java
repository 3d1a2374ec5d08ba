package dev.mayfly.emulators;

import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A client of Pub/Sub's REST API for topics and subscriptions, with the calls that Eventarc's part
 * needs.
 *
 * <p>Pulls messages, because the emulator sends at most two pushes at once, and a tick that watches
 * silent workers takes a minute.
 */
final class PubSubRestClient {
  private static final Duration LIMIT = Duration.ofSeconds(100);
  private static final int DEADLINE_SECONDS = 600;
  private static final int EXISTS = 409;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String base;

  /**
   * @param host the emulator's address
   */
  PubSubRestClient(String host, String project) {
    base = "http://" + host + "/v1/projects/" + project + "/";
  }

  /** A message that is leased to this client until its deadline. */
  record Received(String ackId, PubsubMessage message) {}

  /** A message as Pub/Sub sends it; {@code data} is base64. */
  record PubsubMessage(
      Optional<String> data,
      String messageId,
      Optional<Instant> publishTime,
      Optional<Map<String, String>> attributes) {}

  private record Pulled(Optional<List<Received>> receivedMessages) {}

  private record Topic() {}

  private record Pull(int maxMessages) {}

  private record Ack(List<String> ackIds) {}

  private record Extend(List<String> ackIds, int ackDeadlineSeconds) {}

  private record Subscription(String topic, int ackDeadlineSeconds) {}

  /** Creates every topic of the deployment; idempotent. */
  void makeTopics() throws IOException, InterruptedException {
    for (var topic : PubSubTopics.ALL) make("topics/" + topic, new Topic());
  }

  void subscribe(String name, String topic) throws IOException, InterruptedException {
    make("subscriptions/" + name, new Subscription(path("topics/" + topic), DEADLINE_SECONDS));
  }

  /** Waits briefly for messages; may return none. */
  List<Received> pull(String name, int most) throws IOException, InterruptedException {
    var answer = call("POST", "subscriptions/" + name + ":pull", new Pull(most));
    if (answer.statusCode() != 200) throw failed("pull from " + name, answer);
    return Wire.shared().read(Pulled.class, answer.body()).receivedMessages().orElse(List.of());
  }

  void acknowledge(String name, String ackId) throws IOException, InterruptedException {
    var answer = call("POST", "subscriptions/" + name + ":acknowledge", new Ack(List.of(ackId)));
    if (answer.statusCode() != 200) throw failed("acknowledge to " + name, answer);
  }

  /** Sets the time until an unacknowledged message is delivered again; 0 means at once. */
  void extend(String name, String ackId, Duration span) throws IOException, InterruptedException {
    var seconds = (int) span.toSeconds();
    var body = new Extend(List.of(ackId), seconds);
    var answer = call("POST", "subscriptions/" + name + ":modifyAckDeadline", body);
    if (answer.statusCode() != 200) throw failed("extend at " + name, answer);
  }

  /** The full name in Pub/Sub, including the project. */
  String path(String rest) {
    return base.substring(base.indexOf("projects/")) + rest;
  }

  private void make(String path, Object body) throws IOException, InterruptedException {
    var answer = call("PUT", path, body);
    if (answer.statusCode() != 200 && answer.statusCode() != EXISTS)
      throw failed("make " + path, answer);
  }

  private HttpResponse<byte[]> call(String method, String path, Object body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(Wire.shared().json(body)))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  private static IOException failed(String what, HttpResponse<byte[]> answer) {
    var text = new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8);
    return new IOException(
        "Pub/Sub refuses to %s: %d %s".formatted(what, answer.statusCode(), text));
  }
}
