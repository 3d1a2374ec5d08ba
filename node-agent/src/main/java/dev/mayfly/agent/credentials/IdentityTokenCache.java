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
 * The proof of who this machine is, fetched ahead of its end. While the metadata server is down the
 * token in hand is used for as long as it is valid.
 */
public final class IdentityTokenCache {
  private static final Pattern EXPIRY = Pattern.compile("\"exp\"\\s*:\\s*(\\d{1,15})");
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private final Supplier<String> source;
  private final InstantSource clock;
  private Optional<Token> known = Optional.empty();

  private record Token(String text, Instant end) {}

  /**
   * @param source asks for a fresh token; may throw {@link UnavailableException}
   */
  public IdentityTokenCache(Supplier<String> source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  /** A token that is valid now. Throws {@link UnavailableException} if none can be had. */
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

  /** A token that does not tell its end is fetched anew each time. */
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
