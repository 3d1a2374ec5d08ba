package dev.mayfly.local.control;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Publishes triggers to the simulated cloud's Pub/Sub API. */
final class LocalTriggerBus implements TriggerBus {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;
  private final String token;

  /**
   * @param cloud the simulated cloud's URL
   * @param token the owner's token
   */
  LocalTriggerBus(String cloud, String project, String token) {
    this.token = token;
    base = cloud + "/v1/projects/" + project + "/topics/";
  }

  private record Publish(List<PubsubMessage> messages) {}

  private record PubsubMessage(String data, Map<String, String> attributes) {}

  @Override
  public void send(Trigger trigger) {
    var data = Base64.getEncoder().encodeToString(Wire.shared().trigger(trigger));
    var body = new Publish(List.of(new PubsubMessage(data, Map.of(PubSubTopics.TRIGGER, "1"))));
    var request =
        HttpRequest.newBuilder(URI.create(base + PubSubTopics.of(trigger) + ":publish"))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.shared().json(body)))
            .build();
    try {
      var response = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200)
        throw new UnavailableException(
            "Pub/Sub answered " + response.statusCode() + ": " + response.body());
    } catch (IOException e) {
      throw new UnavailableException("Pub/Sub cannot be reached at " + base, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while publishing", e);
    }
  }
}
