package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a request is answered. Other programs and pages of this computer reach the port
 * too, and a name of somebody else's may lead to 127.0.0.1: only who has the key is answered, at
 * the address that was printed.
 *
 * @param port the port that is served
 * @param key what the printed address has, and then the browser's cookie
 */
record PageGuard(int port, String key) {
  /** Where the key is in the printed address. */
  private static final String KEY = "key=";

  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  /**
   * What is known of a request.
   *
   * @param query as it was sent; empty without one
   * @param fetchSite whose page asks, as browsers say; others say nothing
   */
  record Asked(
      String method,
      String path,
      String query,
      Optional<String> host,
      Optional<String> cookies,
      Optional<String> fetchSite) {}

  /** Why a request is not answered. */
  record Refusal(int status, String reason) {}

  /** Why the request is refused; empty if it is answered. */
  Optional<Refusal> refusal(Asked asked) {
    if (!asked.method().equals("GET"))
      return refused(405, "The page only reads: " + asked.method() + " is not answered");
    if (!asked.host().filter(this::isOwn).isPresent())
      return refused(421, "The page is at http://127.0.0.1:" + port + " and has no other name");
    if (isRoot(asked)) return hasKey(asked) || hasCookie(asked) ? Optional.empty() : noKey();
    if (!asked.fetchSite().map(OWN_SITES::contains).orElse(true))
      return refused(403, "Refused: the request comes from another page");
    return hasCookie(asked) ? Optional.empty() : noKey();
  }

  /** Whether the browser is to keep the key from now on. */
  boolean grants(Asked asked) {
    return isRoot(asked) && hasKey(asked);
  }

  /** Kept by the browser until it ends, for this page alone. */
  String setCookie() {
    return cookie() + "; Path=/; HttpOnly; SameSite=Strict";
  }

  /** Ports of one host share their cookies. */
  private String cookie() {
    return "mayfly-ui-" + port + "=" + key;
  }

  private static boolean isRoot(Asked asked) {
    return asked.path().equals("/");
  }

  private boolean isOwn(String host) {
    return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
  }

  private boolean hasKey(Asked asked) {
    return asked.query().startsWith(KEY) && same(key, asked.query().substring(KEY.length()));
  }

  private boolean hasCookie(Asked asked) {
    return asked
        .cookies()
        .map(all -> Arrays.stream(all.split(";")).anyMatch(it -> same(cookie(), it.strip())))
        .orElse(false);
  }

  /** Takes as long whatever is wrong. */
  private static boolean same(String expected, String given) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static Optional<Refusal> noKey() {
    return refused(
        401,
        "This browser has no key for the page, or one of an earlier mayfly ui: open the address"
            + " that mayfly ui printed in your terminal");
  }

  private static Optional<Refusal> refused(int status, String reason) {
    return Optional.of(new Refusal(status, reason));
  }
}
