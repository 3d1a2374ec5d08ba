package dev.mayfly.emulators;

import dev.mayfly.local.os.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Starts functions and calls each once, so that the runtime can record the classes it loaded and
 * start later instances in a third of the time. Their dependencies are absent: every answer is
 * accepted, but each function must answer.
 */
public final class FunctionAotTrainingMain {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private FunctionAotTrainingMain() {}

  /**
   * @param arguments a file with an agent's report, and a file with a user's message
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var report = Files.readAllBytes(Path.of(arguments[0]));
    var message = Files.readAllBytes(Path.of(arguments[1]));
    var functionAotTrainingMain = new FunctionAotTrainingMain();
    functionAotTrainingMain.call("ApiFunction", url -> request(url + "/v1/clusters").build());
    functionAotTrainingMain.call(
        "WorkersFunction",
        url -> request(url + "/v1/sync").POST(BodyPublishers.ofByteArray(report)).build());
    functionAotTrainingMain.call("JobsFunction", url -> event(url, message));
    System.exit(0);
  }

  private static HttpRequest.Builder request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(LIMIT);
  }

  private static HttpRequest event(String url, byte[] message) {
    var data = Optional.of(Base64.getEncoder().encodeToString(message));
    var published =
        new PubSubRestClient.PubsubMessage(data, "1", Optional.empty(), Optional.empty());
    return EventarcDelivery.request(
        url, published, "projects/p/topics/t", "projects/p/subscriptions/s");
  }

  private void call(String function, Function<String, HttpRequest> call)
      throws IOException, InterruptedException {
    var target = "dev.mayfly.functions." + function;
    var port = FreePort.find();
    Thread.ofPlatform().daemon().start(() -> serve(target, port));
    // The function runs in this process; the unstarted FunctionProcess only provides its settings.
    var place = new FunctionProcess(function, target, port, Map.of(), Path.of("."));
    var answer = new FunctionInstances(client, List.of(place)).send(call);
    System.getLogger(FunctionAotTrainingMain.class.getName())
        .log(System.Logger.Level.INFO, "{0} answered {1}", function, answer.statusCode());
  }

  private static void serve(String target, int port) {
    try {
      InvokerMain.main(new String[] {target, Integer.toString(port)});
    } catch (Exception e) {
      throw new IllegalStateException(target + " cannot be served", e);
    }
  }
}
