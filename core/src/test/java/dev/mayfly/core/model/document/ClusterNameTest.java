package dev.mayfly.core.model.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterNameTest {
  private static final Instant DOWN = Instant.parse("2026-01-31T10:00:00Z");

  @Test
  void downCoversFilesPublishedUntilThen() {
    var name = ClusterName.unused("lab").withDown(DOWN);

    assertThat(name.downSince(DOWN.minusNanos(1_000))).contains(DOWN);
    assertThat(name.downSince(DOWN)).contains(DOWN);
    assertThat(name.downSince(DOWN.plusNanos(1_000))).isEmpty();
  }

  @Test
  void nameWithoutDownRefusesNothing() {
    assertThat(ClusterName.unused("lab").downSince(Instant.MIN)).isEmpty();
    assertThat(new ClusterName("lab", "c-1").downSince(Instant.MIN)).isEmpty();
  }

  @Test
  void downKeepsTheClusterFindable() {
    assertThat(new ClusterName("lab", "c-1").withDown(DOWN).cluster())
        .isEqualTo(Optional.of(new DocumentKey.OfCluster("c-1")));
    assertThat(ClusterName.unused("lab").withDown(DOWN).cluster()).isEmpty();
  }
}
