package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.query.task.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskLinesTest {
  private static final Screen WIDE = TestScreen.of(System.out, System.err, true, false, 200);
  private static final String FROM = "checkpoint 7 of another job";

  @Test
  void doneTaskSaysWhereItContinued() {
    assertThat(TaskLines.table(List.of(continued()), Optional.empty(), ViewFixtures.NOW))
        .extracting(table -> table.lines(WIDE).getLast())
        .asString()
        .endsWith("continued from " + FROM);
    assertThat(TaskLines.page("reddit", continued(), ViewFixtures.NOW, WIDE))
        .contains("  continued     from " + FROM);
  }

  private static TaskStatus continued() {
    return new TaskStatus(
        "j1",
        3,
        TaskStatus.State.DONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of("lab-cpu-a"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(FROM),
        Optional.empty(),
        Optional.empty(),
        false);
  }
}
