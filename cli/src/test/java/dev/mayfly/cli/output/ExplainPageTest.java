package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.estimate.JobStart;
import dev.mayfly.core.query.task.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@code mayfly explain} of a job whose worker was lost. */
class ExplainPageTest {
  private static final Instant LOST_AT = ViewFixtures.NOW.minusSeconds(15);
  private static final String WHY =
      "silent for 12 s more than it may be; 1 of 1 others reported meanwhile";

  @Test
  void lostTaskIsShownWithTimeWorkerAndReason() {
    var time = "11:59:45";

    var page = page(LOST_AT);

    assertThat(page)
        .contains("  attempts without a result: 1 lost\n")
        .contains("    " + time + " task 1 (attempt s0e1): lost on lab-cpu-a: " + WHY + "\n")
        .containsPattern(" 15s  " + time + "  requeued  task 1 lost on worker");
  }

  @Test
  void lossOfAnotherDayHasItsDate() {
    var yesterday = ViewFixtures.NOW.minus(Duration.ofDays(1));

    assertThat(page(yesterday)).contains("    2026-04-30 12:00:00 task 1 (attempt s0e1): lost on");
  }

  @Test
  void failedTaskIsNamedByItsInput() {
    var asked = new ArrayList<Long>();
    var subjects =
        new TaskSubjects(index -> {
          asked.add(index);
          return Optional.of(task(index, "gs://lab/in/posts-" + index)).filter(_ -> index != 2);
        });
    var listed = ViewFixtures.JOB.replace("{count: 12}", "{inputs: 'gs://lab/in/*'}");
    var job = ViewFixtures.job(ViewFixtures.jobSpec(listed)).view();

    assertThat(JobLines.failure(job, failure(1), subjects))
        .startsWith("task 1 (gs://lab/in/posts-1, attempt s0e1): lost on lab-cpu-a");
    assertThat(JobLines.failure(job, failure(1), subjects)).contains("posts-1");
    assertThat(JobLines.failure(job, failure(2), subjects)).startsWith("task 2 (attempt s0e1)");
    assertThat(asked).containsExactly(1L, 2L);
    for (var i = 3; i < 20; i++) JobLines.failure(job, failure(i), subjects);
    assertThat(asked).as("few are asked for").hasSize(10);
  }

  @Test
  void reasonIsNotToldTwice() {
    var told = "zone a has no machine 59s ago; the next try is in 2m11s";
    var later = "unknown: zone a has no machine 60s ago; the next try is in 2m10s";

    assertThat(waiting(told, later)).contains("  start: unknown: stockout\n");
    assertThat(waiting(told, "in about 5m to 9m")).contains("  start: in about 5m to 9m\n");
  }

  private static String waiting(String reason, String start) {
    var job = ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 12, 0).view();
    var why =
        new JobExplanation(
            "reddit",
            "it waits",
            List.of(new JobExplanation.Reason("stockout", reason)),
            List.of(),
            List.of());
    var estimate =
        new JobEstimate(
            Optional.of(new JobStart(Optional.empty(), start)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "unknown");
    return String.join(
        "\n",
        ExplainPage.lines(
            job,
            why,
            Optional.empty(),
            Optional.of(estimate),
            List.of(),
            List.of(),
            new TaskSubjects(_ -> Optional.empty()),
            ViewFixtures.NOW,
            TestScreen.plain(System.out, System.err, Screen.ENDLESS)));
  }

  @Test
  void failedProgramIsShownByItsLastLine() {
    var said = "  File \"attempts/7/trial.py\", line 8\nKeyError: 'score'\n";
    var job = ViewFixtures.job(ViewFixtures.jobSpec()).view();
    var failure = ViewFixtures.failure(1, FailureCause.USER, said);

    assertThat(JobLines.failure(job, failure, new TaskSubjects(_ -> Optional.empty())))
        .endsWith("(exit code 3) on lab-cpu-a: KeyError: 'score'");
  }

  @Test
  void olderEventsAreNamedWhereThereMayBeSome() {
    assertThat(page(LOST_AT, JobExplanation.MOST_EVENTS))
        .endsWith("  older events, if any: mayfly events job/reddit\n");
    assertThat(page(LOST_AT, JobExplanation.MOST_EVENTS - 1)).doesNotContain("older events");
  }

  private static TaskStatus task(long index, String input) {
    return new TaskStatus(
        "j1",
        index,
        TaskStatus.State.WAITING,
        Optional.of(input),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static AttemptFailure failure(long index) {
    return new AttemptFailure(index, "s0e1", FailureCause.LOST, -1, WHY, "lab-cpu-a", LOST_AT);
  }

  private static String page(Instant lostAt) {
    return page(lostAt, 1);
  }

  private static String page(Instant lostAt, int events) {
    var subjects =
        new TaskSubjects(_ -> {
          throw new AssertionError("counted tasks have no subject");
        });
    var failure = new AttemptFailure(1, "s0e1", FailureCause.LOST, -1, WHY, "lab-cpu-a", lostAt);
    var job =
        ViewFixtures.job(ViewFixtures.jobSpec())
            .state("succeeded")
            .totals(12, 0, 0, 0)
            .attempts(Map.of(FailureCause.LOST, 1L))
            .failures(failure)
            .view();
    var event =
        new EventRecord(
            "c1",
            "e1",
            lostAt,
            "job/reddit",
            "requeued",
            "task 1 lost on worker lab-cpu-a: " + WHY);
    var why =
        new JobExplanation(
            "reddit", "succeeded", List.of(), List.of(), Collections.nCopies(events, event));
    var screen = TestScreen.plain(System.out, System.err, Screen.ENDLESS);
    return String.join(
            "\n",
            ExplainPage.lines(
                job,
                why,
                Optional.of(CostFixtures.ofJob()),
                Optional.empty(),
                List.of(),
                List.of(),
                subjects,
                ViewFixtures.NOW,
                screen))
        + "\n";
  }
}
