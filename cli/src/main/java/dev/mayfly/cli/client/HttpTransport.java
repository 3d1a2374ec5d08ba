package dev.mayfly.cli.client;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls over HTTP. No answer is an {@link UnavailableException} with a remedy. Thread-safe.
 *
 * <p>It uses {@link HttpURLConnection}, because the selector thread of {@code java.net.http} delays
 * the end of a process by 0.3 s, and its classes and its TLS context the start.
 */
public final class HttpTransport {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final int READS = 4;
  private static final int NOT_NOW = 503;
  private static final int PAUSE_MILLIS = 300;

  private final Function<String, Optional<String>> bearer;

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

  private record Request(
      URI uri, Optional<byte[]> body, Optional<String> token, Optional<String> quotaProject) {
    Request(URI uri, Optional<byte[]> body, Optional<String> token) {
      this(uri, body, token, Optional.empty());
    }

    String place() {
      return uri.getScheme() + "://" + uri.getAuthority();
    }
  }

  /** Reads a URL; retries a few times after a 503 or a timeout. */
  public Reply get(String url) {
    var request = new Request(URI.create(url), Optional.empty(), bearer.apply(url));
    for (var tries = 1; tries < READS; tries++) {
      try {
        var reply = exchange(request);
        if (reply.status() != NOT_NOW) return reply;
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (SocketTimeoutException late) {
        // Retried.
      } catch (IOException gone) {
        break;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("interrupted while waiting for " + request.place(), e);
      }
    }
    return send(request);
  }

  /** Posts JSON. */
  public Reply post(String url, byte[] json) {
    return send(new Request(URI.create(url), Optional.of(json), bearer.apply(url)));
  }

  /**
   * Calls one of Google's APIs; posts if there is a body.
   *
   * @param token the access token, if the endpoint requires one
   * @param quotaProject the project that the call is charged to; by default the login's own
   */
  Reply call(
      String url, Optional<byte[]> body, Optional<String> token, Optional<String> quotaProject) {
    return send(new Request(URI.create(url), body, token, quotaProject));
  }

  private static Reply send(Request request) {
    try {
      return exchange(request);
    } catch (ConnectException refused) {
      throw new UnavailableException(
          "nothing answers at "
              + request.place()
              + "; if the laptop cloud is down, "
              + DeploymentEndpoints.REMEDY,
          refused);
    } catch (IOException e) {
      throw new UnavailableException(request.place() + " did not answer (" + e + "); try again", e);
    }
  }

  /** Whether a call without an answer may have been carried out nevertheless. */
  static boolean mayHaveArrived(UnavailableException unanswered) {
    return !isRefused(unanswered);
  }

  /** Whether no program listens at the address, as of a laptop cloud that is down. */
  public static boolean isRefused(UnavailableException unanswered) {
    return unanswered.getCause() instanceof ConnectException;
  }

  /** One call. Connections are kept for the next one, because the answer is read to its end. */
  private static Reply exchange(Request request) throws IOException {
    var connection = (HttpURLConnection) request.uri().toURL().openConnection();
    connection.setConnectTimeout((int) CONNECT.toMillis());
    connection.setReadTimeout((int) ANSWER.toMillis());
    connection.setInstanceFollowRedirects(false);
    request.token().ifPresent(it -> connection.setRequestProperty("Authorization", "Bearer " + it));
    request
        .quotaProject()
        .ifPresent(it -> connection.setRequestProperty("x-goog-user-project", it));
    if (request.body().isPresent()) {
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
      try (var out = connection.getOutputStream()) {
        out.write(request.body().get());
      }
    }
    var status = connection.getResponseCode();
    if (status < 0) throw new IOException("no HTTP");
    try (var in = content(connection, status)) {
      return new Reply(status, in == null ? new byte[0] : in.readAllBytes());
    }
  }

  private static @Nullable InputStream content(HttpURLConnection connection, int status)
      throws IOException {
    return status >= HttpURLConnection.HTTP_BAD_REQUEST
        ? connection.getErrorStream()
        : connection.getInputStream();
  }

  /** Encodes text as a part of a path or query. */
  static String urlEncode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
