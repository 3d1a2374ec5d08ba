package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of an agent that fail one after the other, each in a process of its own. */
class FailedStartsTest {
  @TempDir Path home;

  private FailedStarts starts() {
    return new FailedStarts(Map.of("HOME", home.toString()));
  }

  @Test
  void eachFailureWaitsLongerUpToFiveMinutes() {
    var pauses = IntStream.range(0, 12).mapToLong(_ -> starts().add("busy").toSeconds()).toArray();

    assertThat(pauses).containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300);
  }

  @Test
  void goodStartTellsOfThemAndBeginsAnew() {
    starts().add("one");
    starts().add("the metadata server does not answer\nsecond line");

    assertThat(starts().forget())
        .contains(
            new BootStep(
                "2 earlier starts",
                Duration.ZERO,
                Optional.of("the metadata server does not answer")));

    assertThat(starts().forget()).isEmpty();
    assertThat(starts().add("again")).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void damagedFileCountsAsNone() throws Exception {
    Files.writeString(home.resolve("failed-starts"), "many\n");

    assertThat(starts().add("busy")).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void withoutAFolderEachFailureIsTheFirst() {
    var nowhere = new FailedStarts(Map.of());
    nowhere.add("busy");

    assertThat(nowhere.add("busy")).isEqualTo(Duration.ofSeconds(1));
    assertThat(nowhere.forget()).isEmpty();
  }

  @Test
  void bootFolderComesFirst() {
    var steps = home.resolve("boot-steps").toString();

    new FailedStarts(Map.of("MAYFLY_BOOT_STEPS", steps, "HOME", "/")).add("busy");

    assertThat(home.resolve("failed-starts")).hasContent("1\nbusy");
  }
}
