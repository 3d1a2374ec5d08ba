package dev.mayfly.functions.webhook;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Posts to a webhook. Follows no redirect, and reads nothing of the answer but its status. */
final class WebhookCall {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final UnreachableReceivers unreachable;
  private @Nullable HttpClient client;

  WebhookCall(InstantSource clock) {
    unreachable = new UnreachableReceivers(clock);
  }

  /**
   * The answer's status. Throws {@link UnavailableException} if none came within ten seconds, and
   * at once while none is expected.
   */
  int post(URI url, Map<String, String> headers, byte[] body) {
    unreachable.check(url);
    var request =
        HttpRequest.newBuilder(url)
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .header("User-Agent", "mayfly")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    try {
      var response = client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      // Whatever it sends, and however much of it.
      response.body().close();
      unreachable.answered(url);
      return response.statusCode();
    } catch (IOException e) {
      unreachable.unanswered(url);
      throw new UnavailableException(
          "no answer from " + url.getHost() + ": " + e.getClass().getSimpleName(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while calling " + url.getHost(), e);
    }
  }

  /** Created lazily: other functions call no webhook. */
  private synchronized HttpClient client() {
    if (client == null)
      client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(LIMIT)
              .build();
    return client;
  }
}
