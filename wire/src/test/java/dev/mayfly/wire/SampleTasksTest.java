package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code tasks.samples}. */
class SampleTasksTest {
  private static final String VALUES =
      "values: {lr: {log: [1e-5, 0.1]}, layers: {int: [2, 4]}, drop: {uniform: [0, 0.5]},"
          + " opt: {choice: [adam, sgd]}}";

  private static List<Map<String, String>> rows(String tasks) {
    var document =
        """
        {apiVersion: mayfly.dev/v1, kind: Job, name: a, cluster: lab, tasks: %s,
         command: [ls, '{lr}', '{layers}']}
        """
            .formatted(tasks);
    var command = Wire.codec().commands(document.getBytes(UTF_8)).getFirst();
    return ((TaskSource.Items) ((UserCommand.SubmitJob) command).spec().tasks()).items();
  }

  @Test
  void samplesAreDrawnFromEachDistribution() {
    var rows = rows("{samples: {count: 400, %s}}".formatted(VALUES));

    assertThat(rows).hasSize(400).doesNotHaveDuplicates();
    assertThat(rows)
        .extracting(r -> Double.valueOf(r.get("lr")))
        .allMatch(x -> x >= 1e-5 && x < 0.1);
    assertThat(values(rows, "layers")).containsOnly("2", "3", "4");
    assertThat(values(rows, "opt")).containsOnly("adam", "sgd");
    assertThat(rows)
        .extracting(r -> Double.valueOf(r.get("drop")))
        .allMatch(x -> x >= 0 && x < 0.5);
    // Four orders of magnitude, each as likely: half of the numbers are below the middle one.
    assertThat(rows.stream().filter(r -> Double.parseDouble(r.get("lr")) < 1e-3).count())
        .isBetween(150L, 250L);
    assertThat(rows).extracting(r -> r.get("lr").length()).allMatch(length -> length <= 12);
  }

  private static Set<String> values(List<Map<String, String>> rows, String name) {
    return rows.stream().map(row -> row.getOrDefault(name, "")).collect(Collectors.toSet());
  }

  @Test
  void aRangeOfOneValueGivesThat() {
    var rows =
        rows(
            "{samples: {count: 2, values: {layers: {int: [2, 2]}, lr: {log: [1e-5, 1e-5]}, drop: {uniform: [0.50, 0.5]}}}}");

    var one = Map.of("layers", "2", "lr", "1e-5", "drop", "0.50");
    assertThat(rows).containsExactly(one, one);
  }

  @Test
  void sameDocumentGivesSameSamples() {
    var few = rows("{samples: {count: 5, %s}}".formatted(VALUES));

    assertThat(rows("{samples: {count: 5, %s}}".formatted(VALUES))).isEqualTo(few);
    assertThat(rows("{samples: {count: 9, %s}}".formatted(VALUES)).subList(0, 5)).isEqualTo(few);
    assertThat(rows("{samples: {count: 5, seed: 1, %s}}".formatted(VALUES)))
        .doesNotContainAnyElementsOf(few);
  }

  @Test
  void eachSampleRunsWithEverySeed() {
    var rows = rows("{samples: {count: 3, %s}, seeds: 2}".formatted(VALUES));

    assertThat(rows)
        .extracting(row -> row.get("seed"))
        .containsExactly("0", "1", "0", "1", "0", "1");
    assertThat(rows.get(0).get("lr")).isEqualTo(rows.get(1).get("lr"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{samples: {count: 3, values: {lr: {log: [0, 1]}, layers: {int: [1, 2]}}}}; begins at 0",
        "{samples: {count: 3, values: {lr: {uniform: [2, 1]}, layers: {int: [1, 2]}}}}; smaller first",
        "{samples: {count: 3, values: {lr: {log: [1]}, layers: {int: [1, 2]}}}}; tasks.samples.values.lr.log",
        "{samples: {count: 3, values: {lr: {log: [1, 2], choice: [a]}, layers: {int: [1, 2]}}}}; tasks.samples.values.lr",
        "{samples: {count: 3, values: {lr: {log: [1, 2]}, layers: {int: [1.5, 2]}}}}; layers.int",
        "{samples: {count: 0, values: {lr: {log: [1, 2]}, layers: {int: [1, 2]}}}}; tasks.samples.count",
        "{samples: {count: 9000, values: {lr: {log: [1, 2]}, layers: {int: [1, 2]}}}, seeds: 2}; more than 10,000",
        "{samples: {count: 3, values: {lr: {log: [1, 2]}, layers: {int: [1, 2]}}}, count: 2}; keep one of them",
        "{samples: {count: 3, values: {lr: {log: [1, 2]}, layers: {int: [1, 2]}}}, matrix: {lr: [1]}}; keep one of them",
        "{samples: {count: 3, values: {lr: {log: [1, 2]}, layers: {int: [1, 2]}, index: {int: [1, 2]}}}}; choose another name"
      })
  void invalidSamplesAreRefusedWithPlace(String tasks, String said) {
    assertThatThrownBy(() -> rows(tasks)).hasMessageContaining(said);
  }
}
