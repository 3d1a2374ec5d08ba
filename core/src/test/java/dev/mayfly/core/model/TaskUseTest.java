package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskUseTest {
  private static final TaskUse USE = new TaskUse(54.2, 0.9, 2L << 30);

  @Test
  void useTravelsAmongMetrics() {
    var all = USE.among(Map.of("acc", 0.5));

    assertThat(TaskUse.of(all)).contains(USE);
    assertThat(TaskUse.reported(all)).contains(Map.of("acc", 0.5));
  }

  @Test
  void useAloneIsNoMetric() {
    assertThat(TaskUse.reported(USE.among(Map.of()))).isEmpty();
    assertThat(TaskUse.of(Map.of("acc", 0.5))).isEmpty();
  }

  @Test
  void taskCannotWriteIt() {
    for (var name : USE.among(Map.of()).keySet())
      assertThat(TaskMetrics.isMetric(name, 1)).as(name).isFalse();
  }

  @Test
  void smallChangesAreNear() {
    assertThat(USE.isNear(new TaskUse(90, 1.1, (2L << 30) + 1_000_000))).isTrue();
    assertThat(USE.isNear(new TaskUse(54.2, 0.9, 3L << 30))).isFalse();
    assertThat(USE.isNear(new TaskUse(54.2, 2, 2L << 30))).isFalse();
  }
}
