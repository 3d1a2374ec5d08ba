package dev.mayfly.local.access;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
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

  private static final Denial UNKNOWN =
      new Denial(
          401,
          "the laptop cloud is its owner's: send Authorization: Bearer with what is in"
              + " $MAYFLY_HOME/cloud/token");

  private static final Set<String> FOREIGN_SITES = Set.of("cross-site", "same-site");

  private final Optional<OwnerToken> token;
  private final Pattern hosts;
  private final ToIntFunction<String> identities;

  private AccessGuard(Optional<OwnerToken> token, Pattern hosts, ToIntFunction<String> identities) {
    this.token = token;
    this.hosts = hosts;
    this.identities = identities;
  }

  /** Why a call is denied. */
  public record Denial(int status, String reason) {}

  public static AccessGuard of(OwnerToken token) {
    return of(token, header -> 401);
  }

  /**
   * As above.
   *
   * @param identities maps an {@code Authorization} header with an identity token to 0 for
   *     admission, or to the status of a refusal
   */
  public static AccessGuard of(OwnerToken token, ToIntFunction<String> identities) {
    return new AccessGuard(Optional.of(token), LOOPBACK, identities);
  }

  /** Requires no token: refuses web pages only. */
  public static AccessGuard againstPages() {
    return new AccessGuard(Optional.empty(), LOOPBACK, header -> 401);
  }

  /** A guard that also accepts the names of a metadata server. */
  public static AccessGuard ofMetadata(OwnerToken token) {
    return new AccessGuard(Optional.of(token), METADATA, header -> 401);
  }

  /** Whose token calls need; empty if they need none. */
  public Optional<OwnerToken> owner() {
    return token;
  }

  /** The denial of a call; empty if it is allowed. */
  public Optional<Denial> denial(HttpExchange call, AccessLevel accessLevel) {
    var page = webPage(call.getRequestHeaders());
    if (page.isPresent()) return page.map(why -> new Denial(403, why));
    if (accessLevel == AccessLevel.PUBLIC || token.isEmpty()) return Optional.empty();
    var header = call.getRequestHeaders().getFirst("Authorization");
    var holder = token.get().holder(OwnerToken.bearer(header));
    if (holder.filter(accessLevel::admits).isPresent()) return Optional.empty();
    if (accessLevel == AccessLevel.SAME_USER
        && PeerUser.isOwn(call.getRemoteAddress(), call.getLocalAddress())) return Optional.empty();
    if (holder.isPresent()) return Optional.of(new Denial(403, notAuthorized(holder.get())));
    if (accessLevel == AccessLevel.IDENTITY && header != null) return identity(header);
    return Optional.of(UNKNOWN);
  }

  private Optional<Denial> identity(String header) {
    return switch (identities.applyAsInt(header)) {
      case 0 -> Optional.empty();
      case 403 ->
          Optional.of(new Denial(403, "the token's account may not call this, as on Google Cloud"));
      case 503 -> Optional.of(new Denial(503, "the cloud's key is not there yet; try again"));
      default -> Optional.of(UNKNOWN);
    };
  }

  /** As Google Cloud refuses an account without the right. */
  private static String notAuthorized(TokenHolder holder) {
    var who =
        switch (holder) {
          case OWNER, PERSON ->
              "this token is for buckets; send what is in $MAYFLY_HOME/cloud/token";
          case MACHINE ->
              "machines and their tasks may not do this; a job with submitter: true may submit jobs";
          case VIEWER -> "viewers read the API only; the owner may invite them as submitters";
          case SUBMITTER, ADMIN ->
              "people who are invited publish to topics of their own, read the API and create objects; this is the owner's";
          case TASK -> "tasks with submitter: true submit jobs, read the API and store code only";
        };
    return "User not authorized to perform this action: " + who;
  }

  /** The evidence that a web page sent the call; empty if there is none. */
  private Optional<String> webPage(Headers headers) {
    var host = String.valueOf(headers.getFirst("Host"));
    if (!hosts.matcher(host).matches())
      return Optional.of("no server here has the name in Host; call 127.0.0.1");
    if (headers.containsKey("Origin"))
      return Optional.of("web pages may not call the laptop cloud: there is an Origin");
    var site = headers.getFirst("Sec-Fetch-Site");
    if (site != null && FOREIGN_SITES.contains(site.strip().toLowerCase(Locale.ROOT)))
      return Optional.of("web pages may not call the laptop cloud: Sec-Fetch-Site is " + site);
    return Optional.empty();
  }
}
