package dev.mayfly.agent.machine;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the machine's metadata server, which tells an agent who it is.
 *
 * <p>A server that answers 429 or 5xx, or not at all, is asked again until {@code patience} is
 * over; then {@link UnavailableException} is thrown. Only a 404 means that a value is not there.
 */
public final class MetadataClient {
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 5_000;
  private static final int LARGEST = 1 << 20;

  private final String base;
  private final Duration patience;

  /**
   * @param host of the server, with its port if it is not 80
   * @param patience for how long a failing server is asked again
   */
  public MetadataClient(String host, Duration patience) {
    this.base = "http://" + host + "/computeMetadata/v1/";
    this.patience = patience;
  }

  /** The server that {@code GCE_METADATA_HOST} names, else Google's. */
  public static MetadataClient of(Map<String, String> environment) {
    return of(environment, Duration.ofSeconds(60));
  }

  public static MetadataClient of(Map<String, String> environment, Duration patience) {
    return new MetadataClient(host(environment), patience);
  }

  /** Where it is, with its port if that is not 80. */
  public static String host(Map<String, String> environment) {
    return environment.getOrDefault("GCE_METADATA_HOST", "metadata.google.internal");
  }

  /** A value, and the tag by which a change of it can be waited for. */
  public record Value(String text, String etag) {}

  /** The value at a path such as {@code instance/id}; empty if there is none. */
  public Optional<String> find(String path) {
    return get(path, READ_MILLIS).map(Value::text);
  }

  /** As {@link #find}, with the value's tag. */
  public Optional<Value> findValue(String path) {
    return get(path, READ_MILLIS);
  }

  /** An attribute of the instance, given when it was made. */
  public Optional<String> attribute(String key) {
    return find("instance/attributes/" + key);
  }

  /**
   * The project that this machine works for, as the control plane told it; else the one that the
   * machine is in, which for the host of a TPU may be one of Google's.
   */
  public Optional<String> project() {
    return attribute("mayfly-project").or(() -> find("project/project-id"));
  }

  /** A token that proves to {@code audience} which machine this is; base64 text of a JWT. */
  public String identityToken(String audience) {
    var query = "?format=full&audience=" + URLEncoder.encode(audience, StandardCharsets.UTF_8);
    return find("instance/service-accounts/default/identity" + query)
        .orElseThrow(
            () -> new UnavailableException("this machine has no service account to prove itself"));
  }

  /** Waits until the value is another than the one tagged, at most so long; then tells it as is. */
  public Optional<Value> await(String path, String etag, Duration atMost) {
    var query =
        "?wait_for_change=true&last_etag=%s&timeout_sec=%d"
            .formatted(URLEncoder.encode(etag, StandardCharsets.UTF_8), atMost.toSeconds());
    return get(path + query, READ_MILLIS + (int) atMost.toMillis());
  }

  private Optional<Value> get(String path, int readMillis) {
    var deadline = System.nanoTime() + patience.toNanos();
    long pause = 100;
    while (true) {
      try {
        return once(path, readMillis);
      } catch (IOException e) {
        if (System.nanoTime() + pause * 1_000_000 > deadline || !pause(pause)) {
          var what = "the metadata server does not tell " + path.replaceFirst("[?].*", "");
          throw new UnavailableException(what + ": " + e.getMessage(), e);
        }
        pause = Math.min(pause * 2, 5_000);
      }
    }
  }

  private Optional<Value> once(String path, int readMillis) throws IOException {
    var call = (HttpURLConnection) URI.create(base + path).toURL().openConnection(Proxy.NO_PROXY);
    call.setRequestProperty("Metadata-Flavor", "Google");
    call.setConnectTimeout(CONNECT_MILLIS);
    call.setReadTimeout(readMillis);
    call.setInstanceFollowRedirects(false);
    int status = call.getResponseCode();
    if (status == 404) {
      return Optional.empty();
    }
    if (status != 200) {
      call.disconnect();
      throw new IOException("status " + status);
    }
    try (var body = call.getInputStream()) {
      var text = new String(body.readNBytes(LARGEST), StandardCharsets.UTF_8);
      var etag = call.getHeaderField("ETag");
      return Optional.of(new Value(text, etag == null ? "0" : etag));
    }
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
