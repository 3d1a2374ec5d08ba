package dev.mayfly.agent.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class IdentityTokenCacheTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private final Queue<String> tokens = new ArrayDeque<>();
  private Instant now = START;
  private final IdentityTokenCache identityTokenCache =
      new IdentityTokenCache(this::next, () -> now);

  @Test
  void keepsTokenUntilShortlyBeforeExpiry() {
    tokens.add(token("one", START.plusSeconds(3_600)));
    tokens.add(token("two", START.plusSeconds(7_200)));

    var first = identityTokenCache.token();
    now = START.plus(Duration.ofMinutes(54));
    assertThat(identityTokenCache.token()).isEqualTo(first);

    now = START.plus(Duration.ofMinutes(56));
    assertThat(identityTokenCache.token()).isNotEqualTo(first);
  }

  @Test
  void cachedTokenIsUsedWhileServerIsDown() {
    tokens.add(token("one", START.plusSeconds(3_600)));
    var first = identityTokenCache.token();

    now = START.plus(Duration.ofMinutes(58));
    assertThat(identityTokenCache.token()).isEqualTo(first);

    now = START.plus(Duration.ofMinutes(61));
    assertThatThrownBy(identityTokenCache::token).isInstanceOf(UnavailableException.class);
  }

  @Test
  void opaqueTokenIsFetchedEachTime() {
    tokens.add("opaque");
    tokens.add("a.!!!.b");
    tokens.add("last");

    assertThat(identityTokenCache.token()).isEqualTo("opaque");
    assertThat(identityTokenCache.token()).isEqualTo("a.!!!.b");
    assertThat(identityTokenCache.token()).isEqualTo("last");
  }

  private String next() {
    var token = tokens.poll();
    if (token == null) {
      throw new UnavailableException("no metadata server");
    }
    return token;
  }

  private static String token(String name, Instant end) {
    var claims = "{\"name\":\"%s\",\"exp\": %d}".formatted(name, end.getEpochSecond());
    var encoder = Base64.getUrlEncoder().withoutPadding();
    return "h." + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".s";
  }
}
