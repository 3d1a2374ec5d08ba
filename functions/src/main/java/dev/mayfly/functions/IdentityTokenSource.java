package dev.mayfly.functions;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The identity token of the function's own account, from the metadata server. */
record IdentityTokenSource(String host) {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** Uses Google's metadata server, or the one in GCE_METADATA_HOST, as Google's libraries do. */
  static IdentityTokenSource ofEnvironment() {
    return new IdentityTokenSource(
        System.getenv().getOrDefault("GCE_METADATA_HOST", "metadata.google.internal"));
  }

  /** Throws {@link UnavailableException}. */
  String token(HttpClient client, String audience) {
    var url =
        "http://"
            + host
            + "/computeMetadata/v1/instance/service-accounts/default/identity?audience="
            + URLEncoder.encode(audience, StandardCharsets.UTF_8);
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(LIMIT)
            .header("Metadata-Flavor", "Google")
            .build();
    try {
      var reply = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (reply.statusCode() == 200) return reply.body().strip();
      throw new UnavailableException(
          "the metadata server returned no identity token: " + reply.statusCode());
    } catch (IOException e) {
      throw new UnavailableException("the metadata server at " + host + " can't be reached", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while fetching an identity token", e);
    }
  }
}
