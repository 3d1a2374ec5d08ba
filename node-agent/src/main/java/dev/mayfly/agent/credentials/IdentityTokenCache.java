package dev.mayfly.agent.credentials;

import dev.mayfly.core.error.UnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The machine's identity token, renewed before it expires. While no new one can be fetched, the old
 * one is used until it expires.
 */
public final class IdentityTokenCache {
  private static final Pattern EXPIRY = Pattern.compile("\"exp\"\\s*:\\s*(\\d{1,15})");
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private final Supplier<String> source;
  private final InstantSource clock;
  private Optional<Token> known = Optional.empty();

  private record Token(String text, Instant end) {}

  /**
   * @param source fetches a new token; may throw {@link UnavailableException}
   */
  public IdentityTokenCache(Supplier<String> source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /** A valid token. Throws {@link UnavailableException} if there is none. */
  public synchronized String token() {
    var now = clock.instant();
    if (known.filter(token -> now.isBefore(token.end().minus(AHEAD))).isPresent()) {
      return known.get().text();
    }
    try {
      var text = source.get();
      known = Optional.of(new Token(text, end(text, now)));
      return text;
    } catch (UnavailableException e) {
      return known.filter(token -> now.isBefore(token.end())).map(Token::text).orElseThrow(() -> e);
    }
  }

  /** A token without a readable expiry is never reused. */
  private static Instant end(String token, Instant now) {
    var parts = token.split("\\.");
    if (parts.length != 3) {
      return now;
    }
    try {
      var claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      var found = EXPIRY.matcher(claims);
      return found.find() ? Instant.ofEpochSecond(Long.parseLong(found.group(1))) : now;
    } catch (IllegalArgumentException e) {
      return now;
    }
  }
}
