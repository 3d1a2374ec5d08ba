package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.os.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the laptop's control plane and calls its functions, so that the runtime can record the
 * classes it loaded and start the laptop cloud's processes in a third of the time. No cloud is
 * there: every answer is accepted, but each call must be answered.
 */
public final class AotTrainingMain {
  private static final Logger LOG = LoggerFactory.getLogger(AotTrainingMain.class);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Nothing listens there. */
  private static final String NO_SERVER = "127.0.0.1:1";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private final String bearer;

  private AotTrainingMain(int port, OwnerToken owner) {
    url = "http://127.0.0.1:" + port;
    bearer = "Bearer " + owner.text();
  }

  /**
   * @param arguments an empty folder, a file with an agent's report, and a file with a user's
   *     message
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var home = Path.of(arguments[0]);
    var owner = OwnerToken.loadOrCreate(home);
    Files.writeString(home.resolve("cloud/grpc-endpoint"), NO_SERVER);
    var port = FreePort.find();
    ControlMain.start(
        new ControlSettings(
            home,
            port,
            "http://" + NO_SERVER,
            "rehearsal",
            Duration.ofMinutes(1),
            Optional.empty()));
    var training = new AotTrainingMain(port, owner);
    training.call(training.request("/api/v1/clusters"));
    training.call(training.post("/workers/v1/sync", Files.readAllBytes(Path.of(arguments[1]))));
    training.call(training.message(Files.readAllBytes(Path.of(arguments[2]))));
    System.exit(0);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .timeout(LIMIT)
        .header("Authorization", bearer);
  }

  private HttpRequest.Builder post(String path, byte[] body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(body));
  }

  /** The message as the laptop's Pub/Sub delivers it. */
  private HttpRequest.Builder message(byte[] content) {
    var body =
        "{\"subscription\":\"s\",\"message\":{\"messageId\":\"1\",\"data\":\"%s\"}}"
            .formatted(Base64.getEncoder().encodeToString(content));
    return post("/functions/" + PubSubTopics.JOBS, body.getBytes(UTF_8))
        .header("ce-id", "1")
        .header(
            "ce-source", "//pubsub.googleapis.com/projects/rehearsal/topics/" + PubSubTopics.JOBS)
        .header("ce-type", "google.cloud.pubsub.topic.v1.messagePublished");
  }

  private void call(HttpRequest.Builder builder) throws IOException, InterruptedException {
    var request = builder.build();
    var answer = client.send(request, BodyHandlers.ofString());
    LOG.info("{} answered {} {}", request.uri().getPath(), answer.statusCode(), answer.body());
  }
}
