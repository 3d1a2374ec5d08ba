package dev.mayfly.functions;

import dev.mayfly.core.control.Vigil;
import dev.mayfly.core.error.Unavailable;
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
 * Has {@code workers} watch over clusters, by one call that lasts as long as the watch does. That
 * it is answered by the function that agents call is what makes the silence theirs and not ours.
 */
final class HttpVigil implements Vigil {
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private final String workersUrl;
  private final Duration span;
  private final Optional<MetadataToken> token;
  private @Nullable HttpClient client;

  /**
   * @param token proves who calls; empty where nobody asks
   */
  HttpVigil(String workersUrl, Duration span, Optional<MetadataToken> token) {
    this.workersUrl = workersUrl;
    this.span = span;
    this.token = token;
  }

  /** As many calls at once as the clusters need, since each lasts as long as the watch. */
  @Override
  public void keep(List<String> clusters) {
    var calls = new ArrayList<CompletableFuture<HttpResponse<Void>>>();
    for (var from = 0; from < clusters.size(); from += WorkersFunction.Watch.MOST_CLUSTERS) {
      var to = Math.min(clusters.size(), from + WorkersFunction.Watch.MOST_CLUSTERS);
      var request = request(client(), clusters.subList(from, to));
      calls.add(client().sendAsync(request, HttpResponse.BodyHandlers.discarding()));
    }
    for (var call : calls) check(call);
  }

  private HttpRequest request(HttpClient http, List<String> clusters) {
    var watch = new WorkersFunction.Watch(clusters, (int) span.toSeconds());
    var request =
        HttpRequest.newBuilder(URI.create(workersUrl + WorkersFunction.WATCH))
            .timeout(span.plus(MARGIN))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Wire.shared().json(watch)));
    token.ifPresent(t -> request.header("Authorization", "Bearer " + t.token(http, workersUrl)));
    return request.build();
  }

  private void check(CompletableFuture<HttpResponse<Void>> call) {
    try {
      var status = call.get().statusCode();
      if (status != 200) throw new Unavailable(workersUrl + " answers " + status);
    } catch (ExecutionException e) {
      throw new Unavailable(workersUrl + " can't be reached: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while watching over silent workers", e);
    }
  }

  /** Most instances never need one. */
  private synchronized HttpClient client() {
    if (client == null)
      client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    return client;
  }
}
