package dev.mayfly.local.control;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Publishes messages to the simulated cloud's Pub/Sub API. */
final class CloudPublisher {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;
  private final String token;

  /**
   * @param cloud the simulated cloud's URL
   * @param token the owner's token
   */
  CloudPublisher(String cloud, String project, String token) {
    this.token = token;
    base = cloud + "/v1/projects/" + project + "/topics/";
  }

  private record Publish(List<PubsubMessage> messages) {}

  private record PubsubMessage(String data, Map<String, String> attributes) {}

  /**
   * Returns when the message is accepted. Throws {@link UnavailableException} if it is not known to
   * be.
   */
  void publish(String topic, byte[] data, Map<String, String> attributes) {
    var text = Base64.getEncoder().encodeToString(data);
    var body = new Publish(List.of(new PubsubMessage(text, attributes)));
    var request =
        HttpRequest.newBuilder(URI.create(base + topic + ":publish"))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.shared().json(body)))
            .build();
    try {
      ProvenServers.shared().connect(base, token);
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
