package dev.mayfly.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.output.MetricColumns;
import dev.mayfly.cli.output.TaskLines;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.query.task.TaskStatus.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Statistics of groups of tasks. */
class TaskGroupsTest {
  @Test
  void summaryHasTheStatisticsOfASample() {
    var summary = MetricSummary.of(List.of(2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0));

    assertThat(summary.count()).isEqualTo(8);
    assertThat(summary.mean()).contains(5.0);
    assertThat(summary.sd().orElseThrow()).isCloseTo(Math.sqrt(32.0 / 7), within(1e-12));
    assertThat(summary.min()).contains(2.0);
    assertThat(summary.median()).contains(4.5);
    assertThat(summary.max()).contains(9.0);
  }

  @Test
  void oneValueHasNoDeviation() {
    var one = MetricSummary.of(List.of(3.0));

    assertThat(one.sd()).isEmpty();
    assertThat(one.mean()).contains(3.0);
    assertThat(MetricSummary.of(List.of()).median()).isEmpty();
  }

  @Test
  void nearValuesOfLargeSizeKeepTheirDeviation() {
    var summary = MetricSummary.of(List.of(1e9 + 1, 1e9 + 2, 1e9 + 3));

    assertThat(summary.sd().orElseThrow()).isCloseTo(1, within(1e-9));
    var huge = MetricSummary.of(List.of(Double.MAX_VALUE, Double.MAX_VALUE));
    assertThat(huge.mean()).contains(Double.MAX_VALUE);
    assertThat(huge.median()).contains(Double.MAX_VALUE);
  }

  @Test
  void groupsAreOrderedBySizeOfNumbers() {
    var tasks =
        List.of(
            TaskFixtures.task(0, State.DONE, Map.of("lr", "1e-1"), Map.of()),
            TaskFixtures.task(1, State.DONE, Map.of("lr", "0.02"), Map.of()),
            TaskFixtures.task(2, State.DONE, Map.of(), Map.of()),
            TaskFixtures.task(3, State.DONE, Map.of("lr", "auto"), Map.of()),
            TaskFixtures.task(4, State.DONE, Map.of("lr", "9"), Map.of()));

    assertThat(TaskGroups.of(tasks, List.of("lr"), List.of()).groups())
        .extracting(group -> group.value("lr").orElse("none"))
        .containsExactly("0.02", "1e-1", "9", "auto", "none");
  }

  @Test
  void tasksWithoutAValueAreCountedAndSaid() {
    var groups = TaskGroups.of(TaskFixtures.sweep(), List.of("lr"), List.of("acc", "loss"));

    assertThat(groups.groups().getFirst().tasks()).isEqualTo(3);
    assertThat(groups.groups().getFirst().value("acc", MetricStatistic.count)).contains(2.0);
    assertThat(groups.notes())
        .containsExactly(
            "acc, loss: 1 of 6 tasks has no value and counts in tasks alone (1 failed)",
            "1 of 6 tasks is not done and counts with its newest values (1 running); --state done"
                + " leaves it out");
  }

  /** Its accuracy is what it was before, or by chance: the page counts it for no metric either. */
  @Test
  void divergedTaskCountsForNoMetricButHowFar() {
    var tasks = new ArrayList<>(TaskFixtures.sweep().subList(0, 2));
    var far = Map.of("acc", 0.9, "step", 7.0);
    tasks.add(TaskFixtures.diverging(TaskFixtures.task(2, State.DONE, Map.of("lr", "0.1"), far)));

    var groups = TaskGroups.of(tasks, List.of("lr"), List.of("acc", "step"));

    assertThat(groups.groups().getFirst().value("acc", MetricStatistic.mean).orElseThrow())
        .isCloseTo(0.6, within(1e-9));
    assertThat(groups.groups().getFirst().value("step", MetricStatistic.count)).contains(1.0);
    assertThat(groups.notes())
        .contains(
            "1 of 3 tasks diverged (task 2) and counts for no metric: not as 0, and not with what other metrics say after it");
    assertThat(MetricColumns.sorted(tasks, "acc", true))
        .extracting(TaskStatus::index)
        .containsExactly(1L, 0L, 2L);
    assertThat(
            TaskLines.table(tasks, Optional.empty(), ViewFixtures.NOW)
                .lines(TestScreen.plain(System.out, System.err, 200)))
        .anyMatch(line -> line.contains("diverged: loss became NaN or an infinity"));
  }

  @Test
  void tableIsSortedByAnyColumn() {
    var groups = TaskGroups.of(TaskFixtures.sweep(), List.of("lr"), List.of("acc", "loss"));
    var table =
        GroupTable.of(
            groups, List.of("acc", "loss"), List.of(MetricStatistic.mean, MetricStatistic.min));

    assertThat(table.titles())
        .containsExactly(
            "lr",
            "tasks",
            "acc.mean",
            "acc.min",
            "acc.count",
            "loss.mean",
            "loss.min",
            "loss.count");
    assertThat(firstRate(table, "loss.min", false)).isEqualTo("0.1");
    assertThat(firstRate(table, "loss", false)).isEqualTo("0.01");
    assertThat(firstRate(table, "lr", true)).isEqualTo("0.1");
    assertThat(table.sorted("speed", false)).isEqualTo(Optional.empty());
  }

  private static String firstRate(GroupTable table, String by, boolean largestFirst) {
    return table
        .sorted(by, largestFirst)
        .orElseThrow()
        .groups()
        .getFirst()
        .value("lr")
        .orElseThrow();
  }
}
