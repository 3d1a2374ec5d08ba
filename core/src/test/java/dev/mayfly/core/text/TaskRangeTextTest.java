package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskSet;
import org.junit.jupiter.api.Test;

class TaskRangeTextTest {
  @Test
  void rangesAreFirstAndLastTask() {
    var tasks = TaskSet.where(40, 70, i -> i < 58 || i == 60 || i == 69);

    assertThat(TaskRangeText.of(tasks)).isEqualTo("40-57, 60, 69");
  }

  @Test
  void noTaskIsAnEmptyText() {
    assertThat(TaskRangeText.of(TaskSet.none(7))).isEmpty();
  }

  @Test
  void manyRangesAreCounted() {
    var tasks = TaskSet.where(0, 10_000, i -> i % 2 == 0);

    assertThat(TaskRangeText.of(tasks)).startsWith("0, 2, 4,").endsWith("38 … (5,000 in all)");
  }
}
