package dev.mayfly.emulators;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** All instances of one function, which get calls in turn, as on Cloud Run. */
final class FunctionInstances {
  /** Cloud Run holds a call at least this long while an instance starts. */
  private static final Duration MAX_START_TIME = Duration.ofSeconds(60);

  private final HttpClient client;
  private final List<FunctionProcess> processes;
  private final AtomicInteger next = new AtomicInteger();

  FunctionInstances(HttpClient client, List<FunctionProcess> processes) {
    this.client = client;
    this.processes = List.copyOf(processes);
  }

  List<FunctionProcess> processes() {
    return processes;
  }

  /**
   * Waits for an instance that listens. Throws {@link IOException} if an instance died during the
   * call or none started.
   *
   * @param request makes the call, given the instance's URL
   */
  HttpResponse<byte[]> send(Function<String, HttpRequest> request)
      throws IOException, InterruptedException {
    var end = System.nanoTime() + MAX_START_TIME.toNanos();
    while (true) {
      for (var tries = 0; tries < processes.size(); tries++) {
        var instance = processes.get(Math.floorMod(next.getAndIncrement(), processes.size()));
        try {
          return client.send(
              request.apply(instance.url()), HttpResponse.BodyHandlers.ofByteArray());
        } catch (ConnectException starting) {
          if (System.nanoTime() - end > 0) throw starting;
        }
      }
      Thread.sleep(30);
    }
  }
}
