package dev.mayfly.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How often a wait asks. */
class PollPausesTest {
  @Test
  void pausesGrowToTheLongest() {
    var pauses = new PollPauses(Duration.ofMillis(100));

    assertThat(Stream.generate(pauses::next).limit(7).map(Duration::toMillis))
        .containsExactly(15L, 22L, 33L, 50L, 75L, 100L, 100L);
  }

  @Test
  void waitEndsAtLimit() {
    var now = new Instant[] {Instant.EPOCH};
    var asked = new ArrayList<Instant>();
    var poller = new ConditionPoller(() -> now[0], span -> now[0] = now[0].plus(span));

    var found =
        poller.until(
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            () -> {
              asked.add(now[0]);
              return Optional.empty();
            });

    assertThat(found).isEmpty();
    assertThat(asked).hasSize(12);
    assertThat(now[0]).isBetween(Instant.ofEpochSecond(2), Instant.ofEpochMilli(2_500));
  }
}
