package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskMetricsTest {
  @Test
  void lineIsReadBack() {
    var values = Map.of("acc", 0.93, "step", 3.0, "loss/val", -1e-9);

    assertThat(TaskMetrics.line(values)).isEqualTo("acc=0.93,loss/val=-1.0E-9,step=3.0");
    assertThat(TaskMetrics.parse(Optional.of(TaskMetrics.line(values)))).contains(values);
    assertThat(TaskMetrics.parse(Optional.of("acc=high"))).isEmpty();
    assertThat(TaskMetrics.parse(Optional.of(""))).isEmpty();
    assertThat(TaskMetrics.parse(Optional.empty())).isEmpty();
  }

  @Test
  void namesAndValuesAreBounded() {
    assertThat(TaskMetrics.isMetric("a".repeat(64), 1)).isTrue();
    assertThat(TaskMetrics.isMetric("a".repeat(65), 1)).isFalse();
    assertThat(TaskMetrics.isMetric("a=b", 1)).isFalse();
    assertThat(TaskMetrics.isMetric("a,b", 1)).isFalse();
    assertThat(TaskMetrics.isMetric("a", Double.NaN)).isFalse();
    assertThat(TaskMetrics.isMetric("a", Double.POSITIVE_INFINITY)).isFalse();
  }

  @Test
  void reportHasRoomForSomeTasks() {
    var many = new HashMap<String, Double>();
    for (var i = 0; i < TaskMetrics.NAMES; i++) many.put("m" + i, 1.0);
    var all = new ArrayList<TaskMetrics>();
    for (var i = 0; i < 100; i++) all.add(new TaskMetrics("j1", i, many));

    assertThat(TaskMetrics.capped(all)).isEqualTo(all.subList(0, 8));
    assertThat(TaskMetrics.capped(List.of())).isEmpty();
  }
}
