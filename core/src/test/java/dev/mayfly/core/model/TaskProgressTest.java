package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskProgressTest {
  @Test
  void countNeedsItsTotal() {
    assertThat(TaskProgress.of(Map.of("step", 120.0, "max_steps", 1_000.0)))
        .contains(new TaskProgress("step", 120, 1_000, Optional.empty()));
    assertThat(TaskProgress.of(Map.of("step", 120.0))).isEmpty();
    assertThat(TaskProgress.of(Map.of("step", 120.0, "max_epochs", 3.0))).isEmpty();
    assertThat(TaskProgress.of(Map.of("step", 120.0, "max_steps", 0.0))).isEmpty();
  }

  @Test
  void stepsTellMoreThanEpochs() {
    var metrics = Map.of("epoch", 1.0, "epochs", 3.0, "global_step", 1_200.0, "max_steps", 9_000.0);
    assertThat(TaskProgress.of(metrics).orElseThrow().text()).isEqualTo("step 1,200 of 9,000");
    assertThat(TaskProgress.of(Map.of("epoch", 1.5, "num_train_epochs", 3.0)).orElseThrow().text())
        .isEqualTo("epoch 1.5 of 3");
  }

  @Test
  void countBeyondItsTotalIsAllOfIt() {
    var progress = TaskProgress.of(Map.of("step", 12.0, "total_steps", 10.0)).orElseThrow();
    assertThat(progress.part()).isEqualTo(1);
  }

  @Test
  void restTakesAsLongEach() {
    var metrics = TaskProgress.among(Map.of("step", 120.0, "steps", 1_000.0), 0.5);
    var progress = TaskProgress.of(metrics).orElseThrow();
    assertThat(progress.secondsLeft()).contains(440.0);
    assertThat(progress.secondsOfAll()).contains(500.0);
    assertThat(TaskUse.reported(metrics)).contains(Map.of("step", 120.0, "steps", 1_000.0));
    assertThat(TaskMetrics.isMetric("mayfly.seconds-each", 1)).isFalse();
  }
}
