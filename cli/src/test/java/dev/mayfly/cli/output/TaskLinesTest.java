package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.metrics.TaskFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.TaskAttempts;
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

  @Test
  void attemptsOfTheListAreThoseOfTheCount() {
    var stopped = failure("s0e1", FailureCause.STOPPED, AttemptFailure.NO_PROCESS);
    var failed = failure("s0e3", FailureCause.USER, 1);
    var task = done(Optional.of(TaskAttempts.of(1, 0, 0, 2)), Optional.empty());

    assertThat(
            TaskLines.page(
                "reddit", task.withFailures(List.of(stopped, failed)), ViewFixtures.NOW, WIDE))
        .contains(
            "  attempts      3: 1 failed, 1 that used up no retry", "  failed        2 attempts:");
  }

  @Test
  void taskThatAnEarlierJobDidNamesItsLog() {
    var task = TaskFixtures.adopted(3, "jc1a2/7");

    assertThat(TaskLines.page("reddit", task, ViewFixtures.NOW, WIDE))
        .contains(
            "  sentinel      adopted from task jc1a2/7: it did not run in this job",
            "  log           mayfly logs jc1a2/7");
  }

  private static AttemptFailure failure(String attempt, FailureCause cause, int exitCode) {
    return new AttemptFailure(3, attempt, cause, exitCode, "", "lab-cpu-a", ViewFixtures.NOW);
  }

  private static TaskStatus continued() {
    return done(Optional.empty(), Optional.of(FROM));
  }

  private static TaskStatus done(Optional<TaskAttempts> attempts, Optional<String> continued) {
    return new TaskStatus(
        "j1",
        3,
        TaskStatus.State.DONE,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        attempts,
        List.of("lab-cpu-a"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        continued,
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty());
  }
}
