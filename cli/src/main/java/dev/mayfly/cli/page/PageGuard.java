package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a request is answered. Other programs and pages of this computer reach the port
 * too, and a name of somebody else's may lead to 127.0.0.1: only who has the key is answered, at
 * the address that was printed.
 *
 * <p>The files of the page are everybody's; what it shows is not. The key is a header that the
 * page's script sends, and no cookie: browsers show those to all ports of a host.
 *
 * @param port the port that is served
 * @param key what the printed address has, and then the page
 */
record PageGuard(int port, String key) {
  /** The header with the key. */
  static final String KEY = "X-Mayfly-Key";

  /** The header with the word that is exchanged for the key. */
  static final String WORD = "X-Mayfly-Open";

  /** Where it is exchanged. */
  static final String EXCHANGE = "/api/key";

  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  /**
   * What is known of a request.
   *
   * @param key the header of that name
   * @param fetchSite whose page asks, as browsers say; others say nothing
   */
  record Asked(
      String method,
      String path,
      Optional<String> host,
      Optional<String> key,
      Optional<String> fetchSite) {}

  /** Why a request is not answered. */
  record Refusal(int status, String reason) {}

  /** Why the request is refused; empty if it is answered. */
  Optional<Refusal> refusal(Asked asked) {
    if (!asked.method().equals("GET"))
      return refused(405, "The page only reads: " + asked.method() + " is not answered");
    if (!asked.host().filter(this::isOwn).isPresent())
      return refused(421, "The page is at http://127.0.0.1:" + port + " and has no other name");
    if (asked.path().equals("/")) return Optional.empty();
    if (!asked.fetchSite().map(OWN_SITES::contains).orElse(true))
      return refused(403, "Refused: the request comes from another page");
    return isOpen(asked.path()) || asked.key().filter(it -> same(key, it)).isPresent()
        ? Optional.empty()
        : noKey();
  }

  /** Files of the page, which are in the source too, and the exchange, which has its own word. */
  private static boolean isOpen(String path) {
    return path.equals(EXCHANGE) || !(path.startsWith("/api/") || path.startsWith("/logs/"));
  }

  private boolean isOwn(String host) {
    // Browsers leave out the usual port.
    var name = port == 80 && host.indexOf(':') < 0 ? host + ":80" : host;
    return name.equals("127.0.0.1:" + port) || name.equals("localhost:" + port);
  }

  /** Takes as long whatever is wrong. */
  static boolean same(String expected, String given) {
    return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static Optional<Refusal> noKey() {
    return refused(
        401,
        "this browser has no key for the page, or one of an earlier mayfly ui: open the address"
            + " that mayfly ui printed in your terminal");
  }

  private static Optional<Refusal> refused(int status, String reason) {
    return Optional.of(new Refusal(status, reason));
  }
}
