package dev.mayfly.local.access;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Guards every server on loopback. Pages in the user's browser and other users of the machine can
 * reach loopback too; neither may run a job.
 *
 * <p>Calls of web pages are recognized by {@code Origin}, by {@code Sec-Fetch-Site}, or, after DNS
 * rebinding, by a foreign {@code Host}. Other users lack the token, see {@link OwnerToken}.
 */
public final class AccessGuard {
  private static final Pattern LOOPBACK =
      Pattern.compile("(127(\\.\\d{1,3}){3}|localhost|\\[::1])(:\\d{1,5})?");

  /** The names by which agents and Google's clients address the metadata server. */
  private static final Pattern METADATA =
      Pattern.compile(
          "(metadata(\\.google\\.internal)?|169\\.254\\.169\\.254)(:\\d{1,5})?|" + LOOPBACK);

  private static final Set<String> FOREIGN_SITES = Set.of("cross-site", "same-site");

  private final Optional<OwnerToken> token;
  private final Pattern hosts;

  private AccessGuard(Optional<OwnerToken> token, Pattern hosts) {
    this.token = token;
    this.hosts = hosts;
  }

  /** Why a call is denied. */
  public record Denial(int status, String reason) {}

  public static AccessGuard of(OwnerToken token) {
    return new AccessGuard(Optional.of(token), LOOPBACK);
  }

  /** Requires no token: refuses web pages only. */
  public static AccessGuard againstPages() {
    return new AccessGuard(Optional.empty(), LOOPBACK);
  }

  /** A guard that also accepts the names of a metadata server. */
  public static AccessGuard ofMetadata(OwnerToken token) {
    return new AccessGuard(Optional.of(token), METADATA);
  }

  /** The denial of a call; empty if it is allowed. */
  public Optional<Denial> denial(HttpExchange call, AccessLevel accessLevel) {
    var page = webPage(call.getRequestHeaders());
    if (page.isPresent()) return page.map(why -> new Denial(403, why));
    if (accessLevel == AccessLevel.PUBLIC
        || token.isEmpty()
        || showsToken(call, accessLevel, token.get())) return Optional.empty();
    return Optional.of(
        new Denial(
            401,
            "the laptop cloud is its owner's: send Authorization: Bearer with what is in"
                + " $MAYFLY_HOME/cloud/token"));
  }

  /** The evidence that a web page sent the call; empty if there is none. */
  private Optional<String> webPage(Headers headers) {
    var host = String.valueOf(headers.getFirst("Host"));
    if (!hosts.matcher(host).matches())
      return Optional.of("no server here has the name in Host; call 127.0.0.1");
    if (headers.containsKey("Origin"))
      return Optional.of("web pages may not call the laptop cloud: there is an Origin");
    var site = headers.getFirst("Sec-Fetch-Site");
    if (site != null && FOREIGN_SITES.contains(site))
      return Optional.of("web pages may not call the laptop cloud: Sec-Fetch-Site is " + site);
    return Optional.empty();
  }

  private static boolean showsToken(HttpExchange call, AccessLevel accessLevel, OwnerToken token) {
    var bearer = OwnerToken.bearer(call.getRequestHeaders().getFirst("Authorization"));
    if (token.matches(bearer)) return true;
    if (accessLevel != AccessLevel.OWNER && token.matchesMachine(bearer)) return true;
    return accessLevel == AccessLevel.SAME_USER
        && PeerUser.isOwn(call.getRemoteAddress(), call.getLocalAddress());
  }
}
