package dev.mayfly.wire.text;

import dev.mayfly.core.model.cluster.WebhookSpec;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Checks the address of a webhook as a user writes it. */
public final class WebhookUrl {
  private static final int LARGEST_PORT = 65_535;

  private WebhookUrl() {}

  /** What is wrong with it, with the remedy; empty if it may be called. */
  public static Optional<String> problem(String url) {
    try {
      var uri = new URI(url);
      if (uri.getHost() == null) return Optional.of("names no host; write https://HOST/PATH");
      if (uri.getRawUserInfo() != null)
        return Optional.of(
            "has a name or password before the host, which everybody who reads the cluster would see; the receiver knows Mayfly by the signature");
      if (uri.getPort() == 0 || uri.getPort() > LARGEST_PORT)
        return Optional.of(
            "has the port %d; write one from 1 to %d, or none"
                .formatted(uri.getPort(), LARGEST_PORT));
      if (uri.getRawFragment() != null)
        return Optional.of("has a '#', after which nothing is sent; leave that out");
      if (uri.getScheme().equals("https") || new WebhookSpec(url, "").isLoopback())
        return Optional.empty();
      return Optional.of(
          "is not https; write https://%s, or http to 127.0.0.1 on the laptop cloud"
              .formatted(uri.getHost()));
    } catch (URISyntaxException noUrl) {
      return Optional.of("is not a URL (%s); write https://HOST/PATH".formatted(noUrl.getReason()));
    }
  }
}
