package dev.mayfly.core.model.cluster;

import java.util.regex.Pattern;

/**
 * Where a cluster's notifications are posted.
 *
 * @param url {@code https}, or {@code http} to this computer, which only the laptop cloud calls
 * @param secret of the signature: {@code name/version} or {@code name/latest}
 */
public record WebhookSpec(String url, String secret) {
  private static final Pattern LOOPBACK =
      Pattern.compile("http://(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]{1,5})?([/?].*)?");

  /** Whether it is plain {@code http} to this computer. */
  public boolean isLoopback() {
    return LOOPBACK.matcher(url).matches();
  }
}
