package dev.mayfly.agent.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StartRecordTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123456Z");

  @TempDir Path root;

  private Instant next(Instant clock) throws Exception {
    try (var workDir = WorkDir.open(root)) {
      workDir.clean();
      return new StartRecord(workDir).next(clock);
    }
  }

  @Test
  void startsFollowAdvancingClock() throws Exception {
    assertThat(next(NOON)).isEqualTo(NOON);
    assertThat(next(NOON.plusSeconds(5))).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void startIncreasesWhenClockGoesBack() throws Exception {
    var first = next(NOON);
    var second = next(NOON.minus(Duration.ofMinutes(10)));
    var third = next(NOON.minus(Duration.ofMinutes(10)));

    assertThat(second).isAfter(first);
    assertThat(third).isAfter(second);
  }

  @Test
  void unreadableRecordIsIgnored() throws Exception {
    next(NOON);
    for (var content : new byte[][] {{}, {(byte) 0xff, 0}, "+9999".getBytes(UTF_8)}) {
      Files.write(root.resolve("start"), content);
      assertThat(next(NOON)).isEqualTo(NOON);
      assertThat(next(NOON)).isAfter(NOON);
    }
  }
}
