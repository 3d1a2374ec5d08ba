package dev.mayfly.functions;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.sync.LivenessWatch;
import dev.mayfly.functions.handler.WorkersHandler;
import dev.mayfly.wire.Wire;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@code workers} watch the liveness of clusters, by one call that lasts as long as the watch.
 * Because the function that agents call answers it, silence is the agents' and not an outage of the
 * control plane.
 */
final class HttpLivenessWatch implements LivenessWatch {
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private final String workersUrl;
  private final Duration span;
  private final Optional<IdentityTokenSource> token;
  private @Nullable HttpClient client;

  /**
   * @param token authenticates the call; empty if none is required
   */
  HttpLivenessWatch(String workersUrl, Duration span, Optional<IdentityTokenSource> token) {
    this.workersUrl = workersUrl;
    this.span = span;
    this.token = token;
  }

  /** Makes all calls in parallel, because each lasts as long as the watch. */
  @Override
  public void watch(List<String> clusters) {
    var calls = new ArrayList<CompletableFuture<HttpResponse<Void>>>();
    for (var from = 0; from < clusters.size(); from += WorkersHandler.Watch.MOST_CLUSTERS) {
      var to = Math.min(clusters.size(), from + WorkersHandler.Watch.MOST_CLUSTERS);
      var request = request(client(), clusters.subList(from, to));
      calls.add(client().sendAsync(request, HttpResponse.BodyHandlers.discarding()));
    }
    for (var call : calls) check(call);
  }

  private HttpRequest request(HttpClient http, List<String> clusters) {
    var watch = new WorkersHandler.Watch(clusters, (int) span.toSeconds());
    var request =
        HttpRequest.newBuilder(URI.create(workersUrl + WorkersHandler.WATCH))
            .timeout(span.plus(MARGIN))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.shared().json(watch)));
    token.ifPresent(t -> request.header("Authorization", "Bearer " + t.token(http, workersUrl)));
    return request.build();
  }

  private void check(CompletableFuture<HttpResponse<Void>> call) {
    try {
      var status = call.get().statusCode();
      if (status != 200) throw new UnavailableException(workersUrl + " answers " + status);
    } catch (ExecutionException e) {
      throw new UnavailableException(workersUrl + " can't be reached: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while watching over silent workers", e);
    }
  }

  /** Created lazily: most instances need no client. */
  private synchronized HttpClient client() {
    if (client == null)
      client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    return client;
  }
}
