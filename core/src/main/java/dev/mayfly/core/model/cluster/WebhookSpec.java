package dev.mayfly.core.model.cluster;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where a cluster's notifications are posted.
 *
 * @param url {@code https}, or {@code http} to this computer, which only the laptop cloud calls
 * @param secret of the signature: {@code name/version} or {@code name/latest}
 */
public record WebhookSpec(String url, String secret) {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");

  /** What is wrong with a URL, with the remedy; empty if it may be called. */
  public static Optional<String> problem(String url) {
    try {
      var uri = new URI(url);
      if (uri.getHost() == null)
        return Optional.of("names no host; write https://HOST/PATH");
      if (uri.getRawUserInfo() != null)
        return Optional.of(
            "has a name or password before the host, which everybody who reads the cluster would see; the receiver knows Mayfly by the signature");
      if (uri.getRawFragment() != null)
        return Optional.of("has a '#', after which nothing is sent; leave that out");
      if ("https".equalsIgnoreCase(uri.getScheme()) || isLoopback(uri)) return Optional.empty();
      return Optional.of(
          "is not https; write https://%s, or http to 127.0.0.1 on the laptop cloud"
              .formatted(uri.getHost()));
    } catch (URISyntaxException noUrl) {
      return Optional.of("is no URL (%s); write https://HOST/PATH".formatted(noUrl.getReason()));
    }
  }

  /** Whether it is plain {@code http} to this computer. */
  public boolean isLoopback() {
    return isLoopback(URI.create(url));
  }

  private static boolean isLoopback(URI uri) {
    return "http".equalsIgnoreCase(uri.getScheme())
        && LOOPBACK.contains(uri.getHost().toLowerCase(Locale.ROOT));
  }
}
