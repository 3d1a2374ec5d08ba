package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.metrics.TaskFixtures;
import dev.mayfly.cli.metrics.TaskRecords;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.UseText;
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
    assertThat(TaskLines.page("reddit", continued(), Optional.empty(), ViewFixtures.NOW, WIDE))
        .contains("  continued     from " + FROM);
  }

  @Test
  void useIsToldBesideWhatWasAsked() {
    var task = TaskFixtures.using(continued(), new TaskUse(9, 0.9, 2L << 30));
    var tpu = new Resources(4000, 8L << 30, 0, 4);

    assertThat(TaskLines.page("reddit", task, Optional.of(tpu), ViewFixtures.NOW, WIDE))
        .contains(
            "  used          at most 2 GiB of 8 GiB asked for; 0.9 of 4 CPU on the mean, 23%",
            "  tpu chips     " + UseText.TPU);
    assertThat(TaskLines.page("reddit", continued(), Optional.of(tpu), ViewFixtures.NOW, WIDE))
        .noneMatch(line -> line.startsWith("  used"));
  }

  private static List<TaskStatus> used() {
    var plain = TaskFixtures.task(1, TaskStatus.State.RUNNING, Map.of("lr", "0.1"), Map.of());
    var use = new TaskUse(67.5, 0.9, 2_254_857_830L);
    return List.of(TaskFixtures.using(plain, use), plain);
  }

  @Test
  void runningTaskTellsHowFarItIs() {
    var values = Map.of("step", 120.0, "total_steps", 1_000.0);
    var plain = TaskFixtures.task(1, TaskStatus.State.RUNNING, Map.of(), Map.of());

    assertThat(page(TaskFixtures.reporting(plain, values)))
        .contains("  progress      step 120 of 1,000");
    assertThat(page(TaskFixtures.reporting(plain, Map.of("step", 120.0))))
        .noneMatch(line -> line.startsWith("  progress"));
    var done = TaskFixtures.task(1, TaskStatus.State.DONE, Map.of(), values);
    assertThat(page(done)).noneMatch(line -> line.startsWith("  progress"));
  }

  private static List<String> page(TaskStatus task) {
    return TaskLines.page("reddit", task, Optional.empty(), ViewFixtures.NOW, WIDE);
  }

  @Test
  void whatTasksUsedHasColumns() {
    var lines = TaskLines.table(used(), Optional.empty(), ViewFixtures.NOW).lines(WIDE);

    assertThat(lines.stream().map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "TASK STATE ATTEMPTS TOOK CPUS PEAK WORKER INPUT WHY",
            "1 running - 75s 0.9 2.1 GiB lab-gpu-7f3a lr=0.1",
            "1 running - - - - - lr=0.1");
  }

  @Test
  void whatTasksUsedIsInCsvOnlyWhereMeasured() {
    var records = TaskRecords.of(used());

    assertThat(records.get(0)).containsSubsequence("failure", "cpuSeconds", "cpus", "peakMemory");
    assertThat(records.get(1)).endsWith("67.5", "0.9", "2254857830", "0.1");
    assertThat(records.get(2)).endsWith("", "", "", "0.1");
    assertThat(TaskRecords.of(List.of(used().get(1))).get(0)).doesNotContain("cpus");
  }

  @Test
  void attemptsOfTheListAreThoseOfTheCount() {
    var stopped = failure("s0e1", FailureCause.STOPPED, AttemptFailure.NO_PROCESS);
    var failed = failure("s0e3", FailureCause.USER, 1);
    var task = done(Optional.of(TaskAttempts.of(1, 0, 0, 2)), Optional.empty());

    assertThat(
            TaskLines.page(
                "reddit",
                task.withFailures(List.of(stopped, failed)),
                Optional.empty(),
                ViewFixtures.NOW,
                WIDE))
        .contains(
            "  attempts      3: 1 failed, 1 that used up no retry", "  failed        2 attempts:");
  }

  @Test
  void lostAttemptSaysWhatItsCheckpointKeeps() {
    var lost =
        failure("s0e1", FailureCause.PREEMPTED, AttemptFailure.NO_PROCESS)
            .begun(ViewFixtures.NOW.minusSeconds(94));
    var none = "  s0e1 on lab-cpu-a: preempted; no checkpoint, all of 94s lost, 0s ago";
    var kept = "  s0e1 on lab-cpu-a: preempted; its checkpoint keeps 81s of 94s, 13s lost, 0s ago";

    assertThat(history(lost)).endsWith(none.strip());
    assertThat(history(lost.keptUntil(ViewFixtures.NOW.minusSeconds(13)))).endsWith(kept.strip());
    assertThat(history(lost.asKept())).contains("preempted; its checkpoint is kept, ");
  }

  private static String history(AttemptFailure failure) {
    var task = done(Optional.empty(), Optional.empty()).withFailures(List.of(failure));
    return TaskLines.page("reddit", task, Optional.empty(), ViewFixtures.NOW, WIDE).stream()
        .filter(line -> line.contains("s0e1"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void taskThatAnEarlierJobDidNamesItsLog() {
    var task = TaskFixtures.adopted(3, "jc1a2/7");

    assertThat(TaskLines.page("reddit", task, Optional.empty(), ViewFixtures.NOW, WIDE))
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
        Optional.empty(),
        continued,
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
