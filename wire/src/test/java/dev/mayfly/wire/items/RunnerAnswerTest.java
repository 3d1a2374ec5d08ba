package dev.mayfly.wire.items;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.RunnerAnswer;
import dev.mayfly.wire.RunnerTask;
import dev.mayfly.wire.Wire;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines between an agent and a runner. */
final class RunnerAnswerTest {
  @Test
  void taskIsOneLineAndHidesItsValues() {
    var task =
        new RunnerTask("j1/7/s0e3", 7, "s0e3", "/in", "/out", "/work", Map.of("TOKEN", "a\nb"));

    assertThat(new String(Wire.shared().json(task), UTF_8))
        .isEqualTo(
            "{\"task\":\"j1/7/s0e3\",\"index\":7,\"attempt\":\"s0e3\",\"input\":\"/in\",\"output\":\"/out\",\"folder\":\"/work\",\"variables\":{\"TOKEN\":\"a\\nb\"}}");
    assertThat(task.toString()).isEqualTo("task j1/7/s0e3");
  }

  @Test
  void answerMaySayMore() {
    var plain = RunnerAnswer.of("{\"exitCode\": 3, \"task\": \"a\"}");
    var full =
        RunnerAnswer.of(
            "{\"task\":\"a\",\"exitCode\":0,\"message\":\"m\",\"last\":true,\"took\":2}");

    assertThat(plain.code()).isEqualTo(3);
    assertThat(plain.isLast()).isFalse();
    assertThat(full.message()).contains("m");
    assertThat(full.isLast()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          nonsense | nonsense
          [] | an object
          {"exitCode": 0} | task
          {"task": "a"} | exitCode is missing
          {"task": "a", "exitCode": -1} | exitCode -1 is not from 0 to 255
          {"task": "a", "exitCode": 256} | exitCode 256 is not from 0 to 255
          {"task": "a", "exitCode": "0"} | exitCode
          {"task": "a", "exitCode": 0, "last": "yes"} | last
          """)
  void whatIsNoAnswerIsRefused(String line, String words) {
    assertThatThrownBy(() -> RunnerAnswer.of(line))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(words);
  }
}
