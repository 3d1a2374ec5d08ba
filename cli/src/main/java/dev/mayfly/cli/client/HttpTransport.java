package dev.mayfly.cli.client;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls over HTTP. No answer is an {@link UnavailableException} with a remedy. */
public final class HttpTransport {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int READS = 4;
  private static final int NOT_NOW = 503;
  private static final int PAUSE_MILLIS = 300;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();

  private final Function<String, Optional<String>> bearer;

  /** Calls without a token. */
  public HttpTransport() {
    this(url -> Optional.empty());
  }

  /**
   * @param bearer the token for a URL, if it needs one
   */
  public HttpTransport(Function<String, Optional<String>> bearer) {
    this.bearer = bearer;
  }

  /** An answer, whatever its status. */
  public record Reply(int status, byte[] body) {
    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    public boolean ok() {
      return status >= 200 && status < 300;
    }
  }

  /** Reads a URL; retries a few times after a 503 or a timeout. */
  public Reply get(String url) {
    var request = request(url, Optional.empty(), bearer.apply(url));
    for (var tries = 1; tries < READS; tries++) {
      try {
        var reply = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (reply.statusCode() != NOT_NOW) return new Reply(reply.statusCode(), reply.body());
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (HttpTimeoutException late) {
        // Retried.
      } catch (IOException gone) {
        break;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("interrupted while waiting for " + place(request), e);
      }
    }
    return send(request);
  }

  /** Posts JSON. */
  public Reply post(String url, byte[] json) {
    return call(url, Optional.of(json), bearer.apply(url));
  }

  /**
   * Calls one of Google's APIs; posts if there is a body.
   *
   * @param token the access token, if the endpoint requires one
   */
  Reply call(String url, Optional<byte[]> body, Optional<String> token) {
    return send(request(url, body, token));
  }

  private static HttpRequest request(String url, Optional<byte[]> body, Optional<String> token) {
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(ANSWER);
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
    body.ifPresent(json ->
        request
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json)));
    return request.build();
  }

  private Reply send(HttpRequest request) {
    try {
      var reply = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return new Reply(reply.statusCode(), reply.body());
    } catch (ConnectException refused) {
      throw new UnavailableException(
          "nothing answers at "
              + place(request)
              + "; if the laptop cloud is down, "
              + DeploymentEndpoints.REMEDY,
          refused);
    } catch (IOException e) {
      throw new UnavailableException(place(request) + " did not answer (" + e + "); try again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while waiting for " + place(request), e);
    }
  }

  private static String place(HttpRequest request) {
    var uri = request.uri();
    return uri.getScheme() + "://" + uri.getAuthority();
  }

  /** Encodes text as a part of a path or query. */
  static String urlEncode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
