package dev.mayfly.local.emulators;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** All instances of one function: calls go to one after the other, as Cloud Run spreads them. */
final class FunctionInstances {
  /** Cloud Run keeps a call that long while an instance starts, and longer. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
   * Waits for an instance that listens. Throws {@link IOException} if one took the call and died of
   * it, or none came up.
   *
   * @param request makes the call, given the instance's URL
   */
  HttpResponse<byte[]> send(Function<String, HttpRequest> request)
      throws IOException, InterruptedException {
    var end = System.nanoTime() + PATIENCE.toNanos();
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
