package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.text.HumanDuration;
import dev.mayfly.wire.text.DurationFormat;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanFormatTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "98, 98s",
    "119, 119s",
    "120, 2m",
    "192, 3m12s",
    "600, 10m",
    "3540, 59m",
    "3600, 1h",
    "19200, 5h20m",
    "28800, 8h",
    "172799, 47h",
    "172800, 2d",
    "273600, 3d4h",
    "864000, 10d"
  })
  void timesInTablesAreShort(long seconds, String shown) {
    assertThat(HumanFormat.duration(Duration.ofSeconds(seconds))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "98, 98s",
    "192, 3m12s",
    "2712, 45m",
    "28800, 8h",
    "35124, 9h45m",
    "109200, 30h20m",
    "172800, 2d",
    "183300, 2d2h",
    "1050000, 12d3h"
  })
  void resultsKeepTheirSecondUnit(long seconds, String shown) {
    assertThat(HumanFormat.result(Duration.ofSeconds(seconds))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "90000, 90s",
    "1500, 1s500ms",
    "3492000, 58m12s",
    "34200000, 9h30m",
    "86400000, 24h",
    "183300000, 2d2h55m",
    "3480400, 58m400ms"
  })
  void whatSomebodySetIsWhole(long millis, String shown) {
    assertThat(HumanDuration.exact(Duration.ofMillis(millis))).isEqualTo(shown);
  }

  @Test
  void aLongerTimeNeverLooksShorter() {
    var before = Duration.ZERO;
    for (var seconds = 0; seconds < 1_000_000; seconds += 7) {
      // As a document's duration, which has the same notation.
      var shown = DurationFormat.read(HumanFormat.duration(Duration.ofSeconds(seconds)));
      assertThat(shown).isGreaterThanOrEqualTo(before);
      before = shown;
    }
  }
}
