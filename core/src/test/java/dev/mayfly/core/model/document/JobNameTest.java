package dev.mayfly.core.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobNameTest {
  private static final Instant EARLY = Instant.parse("2026-01-01T00:00:01Z");
  private static final Instant LATE = Instant.parse("2026-01-01T00:00:02Z");

  /** Retries of single tasks may come in another order than they were published. */
  @Test
  void olderRetryKeepsTheNewersTime() {
    var name =
        new JobName(
            "c1",
            Optional.empty(),
            "train",
            Optional.of("j1"),
            "hash",
            false,
            Optional.empty(),
            Optional.empty(),
            List.of());

    var retried = name.withRetry(LATE, true).withRetry(EARLY, true);

    assertThat(retried.lastCommandAt()).contains(LATE);
    assertThat(name.withRetry(EARLY, true).withRetry(LATE, true).lastCommandAt()).contains(LATE);
  }
}
