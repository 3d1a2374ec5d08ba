package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskMetrics;
import dev.mayfly.core.model.TaskUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetricsLinesTest {
  private final Map<String, Double> known = new LinkedHashMap<>();

  @Test
  void newerNumbersReplaceOlder() {
    MetricsLines.addTo(known, "{\"step\": 3, \"acc\": 0.5}");
    MetricsLines.addTo(
        known, "{\"step\": 4, \"note\": \"x\", \"deep\": {\"a\": 1}, \"loss\": 1e-3}");

    assertThat(known)
        .containsExactly(Map.entry("step", 4.0), Map.entry("acc", 0.5), Map.entry("loss", 0.001));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "acc=3",
        "[1, 2]",
        "3",
        "{\"acc\": NaN}",
        "{\"acc\": 1e999}",
        "{\"a b\": 1}",
        "{\"acc\"",
        "{\"acc\": true}"
      })
  void otherLinesAreLeftOut(String line) {
    MetricsLines.addTo(known, line);

    assertThat(known).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"loss\": NaN, \"step\": 2}",
        "{\"loss\": Infinity, \"step\": 2}",
        "{\"loss\": -Infinity, \"step\": 2}",
        "{\"loss\": 1e999, \"step\": 2}"
      })
  void divergedNumberIsSaidUntilThereIsAnother(String line) {
    MetricsLines.addTo(known, "{\"loss\": 0.1, \"step\": 1}");

    MetricsLines.addTo(known, line);

    assertThat(TaskUse.reported(known)).contains(Map.of("step", 2.0));
    assertThat(TaskMetrics.diverged(known)).contains(List.of("loss"));
    MetricsLines.addTo(known, "{\"loss\": 0.2}");
    assertThat(TaskMetrics.diverged(known)).isEmpty();
  }

  /** Programs write it for what they did not measure this time. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"loss\": null, \"step\": 2}", "{\"loss\": \"nan\", \"step\": 2}"})
  void whatIsNoNumberHasNoValueAnyMore(String line) {
    MetricsLines.addTo(known, "{\"loss\": 0.1, \"step\": 1}");

    MetricsLines.addTo(known, line);

    assertThat(known).containsExactly(Map.entry("step", 2.0));
  }

  @Test
  void deepAndLongLinesDoNoHarm() {
    MetricsLines.addTo(known, "{\"a\": 1, \"b\": " + "[".repeat(60_000));

    assertThat(known).containsExactly(Map.entry("a", 1.0));
  }

  @Test
  void firstNamesStay() {
    for (var i = 0; i < 40; i++) MetricsLines.addTo(known, "{\"m" + i + "\": " + i + "}");
    MetricsLines.addTo(known, "{\"m0\": 99, \"m39\": 1}");

    assertThat(known).hasSize(32).containsEntry("m0", 99.0).doesNotContainKey("m39");
  }
}
