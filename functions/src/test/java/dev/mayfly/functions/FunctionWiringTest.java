package dev.mayfly.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionWiringTest {
  /** A watch of no length would leave lost workers to the next message. */
  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "3, 1", "30, 28", "59, 57", "60, 58", "61, 58", "3600, 58"})
  void aLivenessWatchEndsBeforeTheNextTick(long tick, long span) {
    assertThat(FunctionWiring.span(Duration.ofSeconds(tick))).isEqualTo(Duration.ofSeconds(span));
  }
}
