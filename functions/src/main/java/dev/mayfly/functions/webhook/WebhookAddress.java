package dev.mayfly.functions.webhook;

import dev.mayfly.core.error.InvalidInputException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where a webhook's URL leads, and whether the deployment calls there. */
final class WebhookAddress {
  private static final int LARGEST_PORT = 65_535;

  private WebhookAddress() {}

  /** Looks names up; tests have their own. */
  interface Resolver {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  /**
   * Why the URL is not called, as far as it shows without looking anything up; empty for one that
   * may be.
   */
  static Optional<String> problem(URI url, WebhookReach reach) {
    var host = host(url);
    if (host.isEmpty()) return Optional.of("names no host; write https://HOST/PATH");
    if (url.getPort() == 0 || url.getPort() > LARGEST_PORT)
      return Optional.of("has no port from 1 to " + LARGEST_PORT);
    var own = reach == WebhookReach.THIS_COMPUTER;
    if (!"https".equalsIgnoreCase(url.getScheme())
        && !(own && "http".equalsIgnoreCase(url.getScheme())))
      return Optional.of(
          "is not https; only the laptop cloud calls http, at 127.0.0.1; write https://"
              + url.getHost());
    if (isOwnName(host) && !own)
      return Optional.of("names this computer's own address; " + WebhookReach.REMEDY);
    return literal(host).flatMap(reach::refusal).map(why -> "names an address, " + why + remedy());
  }

  private static String remedy() {
    return "; " + WebhookReach.REMEDY;
  }

  private static boolean isOwnName(String host) {
    var name = host.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
    return name.equals("localhost") || name.endsWith(".localhost");
  }

  /** Without the brackets around an address of IPv6. */
  static String host(URI url) {
    var host = url.getHost() == null ? "" : url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static Optional<InetAddress> literal(String host) {
    try {
      return Optional.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException name) {
      return Optional.empty();
    }
  }

  /**
   * The addresses to call. All of them are ones that the deployment calls: what a name led to a
   * moment ago is no promise, so nothing is looked up again.
   *
   * @throws InvalidInputException if it does not call one of them
   */
  static List<InetAddress> of(URI url, WebhookReach reach, Resolver resolver)
      throws UnknownHostException {
    var about = "the webhook at " + url.getHost();
    problem(url, reach)
        .ifPresent(problem -> {
          throw new InvalidInputException(about, "its url " + problem);
        });
    var addresses = List.of(resolver.addresses(host(url)));
    for (var address : addresses) {
      var refusal = reach.refusal(address);
      if (refusal.isPresent())
        throw new InvalidInputException(
            about, "its name leads to an address, " + refusal.get() + remedy());
    }
    return addresses;
  }
}
