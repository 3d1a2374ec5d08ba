package dev.mayfly.core.state.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.CloudMachine;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CloudRateLimiterTest {
  private static final Instant NOW = Instant.parse("2026-11-01T12:00:20Z");

  private final CloudRateLimiter quota = new CloudRateLimiter();

  private static CloudMachine.Name machine(String zone, int number) {
    return new CloudMachine.Name(CloudMachine.Kind.VM, zone, "w" + number);
  }

  private long deletions(String zone, Instant at) {
    var some = 0L;
    for (var i = 0; i < 5_000; i++) if (quota.mayDelete(machine(zone, i), at)) some++;
    return some;
  }

  @Test
  void deletionsPerMinuteAreBoundedByRegion() {
    assertThat(deletions("us-central1-a", NOW)).isEqualTo(CloudRateLimiter.DELETIONS);

    assertThat(deletions("us-central1-b", NOW.plusSeconds(39))).isZero();
    assertThat(deletions("europe-west4-a", NOW)).isEqualTo(CloudRateLimiter.DELETIONS);
    assertThat(deletions("us-central1-a", NOW.plusSeconds(40)))
        .isEqualTo(CloudRateLimiter.DELETIONS);
  }

  @Test
  void exhaustedQuotaBlocksDeletions() {
    quota.exhausted(machine("us-central1-a", 1), NOW);

    assertThat(deletions("us-central1-a", NOW.plusSeconds(5))).isZero();
    assertThat(quota.mayDelete(machine("us-central1-a", 1), NOW.plusSeconds(50))).isTrue();
  }
}
