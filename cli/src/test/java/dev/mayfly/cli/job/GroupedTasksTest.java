package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.metrics.TaskFixtures;
import dev.mayfly.core.query.task.TaskPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly tasks --group-by}, and tasks for programs. */
class GroupedTasksTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void groupsOfASweepHaveStatistics() {
    control.pages.add(new TaskPage(TaskFixtures.sweep(), Optional.empty()));

    assertThat(tasks("sweep", "--group-by", "lr", "--metric", "acc", "--sort", "acc.sd", "--desc"))
        .isZero();
    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "lr    TASKS  acc.mean  acc.sd  acc.count",
            "0.1       3       0.7     0.2          3",
            "0.01      3       0.7  0.1414          2");
    assertThat(err.toString(UTF_8)).contains("acc: 1 of 6 tasks has no value", "is not done");
  }

  @Test
  void groupsAndTasksAreWrittenAsCsv() {
    control.pages.add(new TaskPage(TaskFixtures.sweep(), Optional.empty()));

    assertThat(tasks("sweep", "--group-by=lr", "--stat=max,min", "--metric=acc", "-o", "csv"))
        .isZero();
    assertThat(out.toString(UTF_8))
        .isEqualTo("lr,tasks,acc.max,acc.min,acc.count\r\n0.01,3,0.8,0.6,2\r\n0.1,3,0.9,0.5,3\r\n");

    out.reset();
    control.pages.add(new TaskPage(TaskFixtures.sweep(), Optional.empty()));
    assertThat(tasks("sweep", "-o", "csv")).isZero();
    assertThat(out.toString(UTF_8))
        .startsWith("task,state,")
        .contains("\r\n2,running,")
        .hasLineCount(7);
    assertThat(run("jobs", "-o", "csv")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("-o csv is for mayfly tasks; write -o json here");
  }

  @Test
  void groupsAreWrittenAsJsonWithEveryStatistic() {
    control.pages.add(new TaskPage(TaskFixtures.sweep(), Optional.empty()));

    assertThat(tasks("sweep", "--group-by", "lr", "--metric", "loss", "-o", "json")).isZero();
    assertThat(out.toString(UTF_8))
        .startsWith(
            "[{\"group\":{\"lr\":\"0.01\"},\"tasks\":3,\"metrics\":{\"loss\":{\"count\":2,\"mean\":")
        .contains("\"sd\":", "\"min\":0.3", "\"median\":", "\"max\":0.4");
  }

  @Test
  void unknownColumnsOfGroupsNameTheKnownOnes() {
    for (var wrong :
        List.of(
            List.of("--group-by", "rate"),
            List.of("--group-by", "lr", "--metric", "los"),
            List.of("--group-by", "lr", "--sort", "acc.avg"),
            List.of("--stat", "mean"))) {
      control.pages.clear();
      control.pages.add(new TaskPage(TaskFixtures.sweep(), Optional.empty()));
      var all = new ArrayList<>(List.of("sweep"));
      all.addAll(wrong);
      assertThat(tasks(all.toArray(String[]::new))).isEqualTo(2);
    }
    assertThat(err.toString(UTF_8))
        .contains(
            "--group-by: no task of sweep has the variable 'rate'; the variables are lr, seed",
            "--metric: no task of sweep has the metric 'los'; the metrics are acc, loss",
            "--sort: there is no column 'acc.avg'; the columns are lr, tasks, acc.mean",
            "--stat and --metric are for --group-by VARIABLE");
  }

  private int tasks(String... args) {
    var all = new ArrayList<>(List.of("tasks"));
    all.addAll(List.of(args));
    return run(all.toArray(String[]::new));
  }

  private int run(String... args) {
    var screen = TestScreen.plain(out, err, 80);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    return Main.run(cliContext, args);
  }
}
