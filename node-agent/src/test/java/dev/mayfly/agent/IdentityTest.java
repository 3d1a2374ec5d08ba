package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Unavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class IdentityTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");

  private final Queue<String> tokens = new ArrayDeque<>();
  private Instant now = START;
  private final Identity identity = new Identity(this::next, () -> now);

  @Test
  void keepsATokenUntilShortlyBeforeItsEnd() {
    tokens.add(token("one", START.plusSeconds(3_600)));
    tokens.add(token("two", START.plusSeconds(7_200)));

    var first = identity.token();
    now = START.plus(Duration.ofMinutes(54));
    assertThat(identity.token()).isEqualTo(first);

    now = START.plus(Duration.ofMinutes(56));
    assertThat(identity.token()).isNotEqualTo(first);
  }

  @Test
  void usesTheOldOneWhileTheServerIsDownAndItIsValid() {
    tokens.add(token("one", START.plusSeconds(3_600)));
    var first = identity.token();

    now = START.plus(Duration.ofMinutes(58));
    assertThat(identity.token()).isEqualTo(first);

    now = START.plus(Duration.ofMinutes(61));
    assertThatThrownBy(identity::token).isInstanceOf(Unavailable.class);
  }

  @Test
  void aTokenThatDoesNotTellItsEndIsFetchedEachTime() {
    tokens.add("opaque");
    tokens.add("a.!!!.b");
    tokens.add("last");

    assertThat(identity.token()).isEqualTo("opaque");
    assertThat(identity.token()).isEqualTo("a.!!!.b");
    assertThat(identity.token()).isEqualTo("last");
  }

  private String next() {
    var token = tokens.poll();
    if (token == null) {
      throw new Unavailable("no metadata server");
    }
    return token;
  }

  private static String token(String name, Instant end) {
    var claims = "{\"name\":\"%s\",\"exp\": %d}".formatted(name, end.getEpochSecond());
    var encoder = Base64.getUrlEncoder().withoutPadding();
    return "h." + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".s";
  }
}
