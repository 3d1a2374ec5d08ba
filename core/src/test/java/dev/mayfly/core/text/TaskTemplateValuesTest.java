package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.TaskItem;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskTemplateValuesTest {
  @ParameterizedTest
  @CsvSource({
    "gs://b/reddit/posts-007.jsonl.gz, posts-007",
    "gs://b/a.tar.gz, a",
    "gs://b/a.txt, a",
    "gs://b/a, a",
    "gs://b/.hidden, .hidden",
    "gs://b/v1.2.json, v1.2",
    "gs://b/only.gz, only",
  })
  void theStemIsTheNameWithoutItsExtension(String url, String stem) {
    assertThat(TaskTemplate.stem(url)).isEqualTo(stem);
  }

  @Test
  void onlyWordsInBracesAreFilled() {
    assertThat(
            TaskTemplate.fill("awk '{print $1}' {input} {{input}} {other}", Map.of("input", "x")))
        .isEqualTo("awk '{print $1}' x {input} {other}");
  }

  @Test
  void specialCharactersInValuesAreKept() {
    assertThat(TaskTemplate.fill("{a}", Map.of("a", "$1\\n{b}"))).isEqualTo("$1\\n{b}");
  }

  @Test
  void aTasksOwnVariablesAreValues() {
    var item = new TaskItem(3, Optional.empty(), Map.of("seed", "7"));

    assertThat(TaskTemplate.fill("{seed}-{index}-{job}", TaskTemplate.placeholderValues("j", item)))
        .isEqualTo("7-3-j");
  }

  @Test
  void unknownWordsAreNamed() {
    assertThat(TaskTemplate.unknownPlaceholders("{index}/{nope}/{{fine}}", Set.of("index")))
        .containsExactly("nope");
  }
}
