package dev.mayfly.agent.machine;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.wire.proof.ProvenServers;
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
 * Reads the machine's metadata server, the source of an agent's identity.
 *
 * <p>On 429, 5xx or no answer, retries for {@code patience}, then throws {@link
 * UnavailableException}. Only a 404 means that there is no value.
 */
public final class MetadataClient {
  private static final int CONNECT_MILLIS = 2_000;
  private static final int READ_MILLIS = 5_000;
  private static final int LARGEST = 1 << 20;

  private final String base;
  private final Duration patience;
  private final String machineToken;

  /**
   * @param host of the server, with its port if it is not 80
   * @param patience how long a failing server is retried
   * @param machineToken of a laptop cloud, whose servers have to prove that they know it; empty for
   *     Google's, which only the machine's own network reaches
   */
  MetadataClient(String host, Duration patience, String machineToken) {
    this.base = "http://" + host + "/computeMetadata/v1/";
    this.patience = patience;
    this.machineToken = machineToken;
  }

  /** The server that {@code GCE_METADATA_HOST} names, by default Google's. */
  public static MetadataClient of(Map<String, String> environment) {
    return of(environment, Duration.ofSeconds(60));
  }

  public static MetadataClient of(Map<String, String> environment, Duration patience) {
    var machineToken = environment.getOrDefault(StoreSettings.TOKEN, "");
    return new MetadataClient(host(environment), patience, machineToken);
  }

  /** The server's host, with its port if it is not 80. */
  public static String host(Map<String, String> environment) {
    return environment.getOrDefault("GCE_METADATA_HOST", "metadata.google.internal");
  }

  /** A value, and the etag with which to wait for its change. */
  public record Value(String text, String etag) {}

  /** The value at a path such as {@code instance/id}; empty if there is none. */
  public Optional<String> find(String path) {
    return get(path, READ_MILLIS).map(Value::text);
  }

  /** As {@link #find}, with the value's etag. */
  public Optional<Value> findValue(String path) {
    return get(path, READ_MILLIS);
  }

  /** An attribute of the instance, set when it was created. */
  public Optional<String> attribute(String key) {
    return find("instance/attributes/" + key);
  }

  /**
   * The project that the control plane set for this machine, else the machine's own, which for a
   * TPU host may be one of Google's.
   */
  public Optional<String> project() {
    return attribute("mayfly-project").or(() -> find("project/project-id"));
  }

  /** A token that proves this machine's identity to {@code audience}: the base64 text of a JWT. */
  public String identityToken(String audience) {
    var query = "?format=full&audience=" + URLEncoder.encode(audience, StandardCharsets.UTF_8);
    return find("instance/service-accounts/default/identity" + query)
        .orElseThrow(
            () -> new UnavailableException("this machine has no service account to prove itself"));
  }

  /**
   * Waits until the value differs from the one with this etag, at most {@code atMost}; returns it.
   */
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
          var what = "the metadata server does not return " + path.replaceFirst("[?].*", "");
          throw new UnavailableException(what + ": " + e.getMessage(), e);
        }
        pause = Math.min(pause * 2, 5_000);
      }
    }
  }

  private Optional<Value> once(String path, int readMillis) throws IOException {
    ProvenServers.shared().connect(base, machineToken);
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
