package dev.mayfly.functions.start;

import com.google.cloud.functions.invoker.runner.Invoker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;

/**
 * Calls functions as the platform does, so that the runtime can record which classes they load.
 *
 * <p>{@code AotTrainingMain PORT CLUSTER JOB REPORT}: the first port of three, and files with
 * messages. The functions' answers do not matter, only that they answer.
 */
public final class AotTrainingMain {
  private static final String FUNCTIONS = "dev.mayfly.functions.";

  private final HttpClient client = HttpClient.newHttpClient();
  private final String url;

  private AotTrainingMain(String url) {
    this.url = url;
  }

  public static void main(String[] arguments) throws Exception {
    var port = Integer.parseInt(arguments[0]);
    var invokers = new Invoker[] {serve(port, "ApiFunction"), serve(port + 1, "WorkersFunction")};
    new AotTrainingMain("http://127.0.0.1:" + port).get("/v1/clusters");
    new AotTrainingMain("http://127.0.0.1:" + (port + 1)).post("/v1/sync", read(arguments[3]));
    for (var invoker : invokers) invoker.stopServer();
    event(port + 2, "ClustersFunction", read(arguments[1]));
    event(port + 2, "JobsFunction", read(arguments[2]));
    System.exit(0);
  }

  private static byte[] read(String file) throws Exception {
    return Files.readAllBytes(Path.of(file));
  }

  private static Invoker serve(int port, String function) throws Exception {
    var loader = AotTrainingMain.class.getClassLoader();
    var invoker = new Invoker(port, FUNCTIONS + function, null, loader);
    invoker.startTestServer();
    return invoker;
  }

  private static void event(int port, String function, byte[] message) throws Exception {
    var invoker = serve(port, function);
    new AotTrainingMain("http://127.0.0.1:" + port).deliver(message);
    invoker.stopServer();
  }

  private void get(String path) throws Exception {
    send(HttpRequest.newBuilder(URI.create(url + path)));
  }

  private void post(String path, byte[] body) throws Exception {
    send(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body)));
  }

  /** Delivers a message as Eventarc does. */
  private void deliver(byte[] message) throws Exception {
    var body =
        """
        {"subscription":"projects/p/subscriptions/s","message":{"messageId":"1","publishTime":"%s","data":"%s"}}
        """
            .formatted(Instant.now(), Base64.getEncoder().encodeToString(message));
    send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .header("ce-id", "1")
            .header("ce-specversion", "1.0")
            .header("ce-type", "google.cloud.pubsub.topic.v1.messagePublished")
            .header("ce-source", "//pubsub.googleapis.com/projects/p/topics/mayfly-jobs")
            .POST(BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8))));
  }

  private void send(HttpRequest.Builder request) throws Exception {
    var status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
    System.getLogger(AotTrainingMain.class.getName())
        .log(System.Logger.Level.INFO, "{0} answered {1}", url, status);
  }
}
