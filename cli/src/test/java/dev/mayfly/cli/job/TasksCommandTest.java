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
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.job.TaskAttempts;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.query.task.TaskStatus.State;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly tasks}, as a table, as a page and as JSON. */
class TasksCommandTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int width = 200;
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

  private static TaskStatus task(
      long index, State state, Map<String, String> variables, Optional<AttemptFailure> failure) {
    var ran = state == State.DONE;
    return new TaskStatus(
        "j1",
        index,
        state,
        Optional.of("gs://lab-us-central2/reddit/posts-%03d.jsonl.gz".formatted(index))
            .filter(_ -> variables.isEmpty()),
        Optional.empty(),
        Optional.of("gs://lab/out/" + index),
        variables,
        Optional.of(TaskAttempts.of(failure.isPresent() ? 3 : 0, 0, ran)),
        ran || failure.isPresent() ? List.of("lab-cpu-7f3a") : List.of(),
        ran ? Optional.of(ViewFixtures.NOW.minusSeconds(90)) : Optional.empty(),
        ran ? Optional.of(ViewFixtures.NOW.minusSeconds(15)) : Optional.empty(),
        failure,
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

  private static TaskStatus reporting(long index, Map<String, Double> metrics) {
    var task = task(index, State.RUNNING, Map.of("lr", "0.%d".formatted(index)), Optional.empty());
    return TaskFixtures.reporting(task, metrics);
  }

  private TaskPage metrics() {
    return new TaskPage(
        List.of(
            reporting(0, Map.of("acc", 0.8123456, "step", 1200.0)),
            reporting(1, Map.of()),
            reporting(2, Map.of("acc", 0.93, "step", 400.0, "loss", 3.2e-7))),
        Optional.empty());
  }

  @Test
  void metricsHaveColumns() {
    control.pages.add(metrics());

    assertThat(tasks("sweep")).isZero();
    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "TASK  STATE    ATTEMPTS  TOOK     acc  step       loss  WORKER        INPUT   WHY",
            "   0  running         0   75s  0.8123  1200          -  lab-gpu-7f3a  lr=0.0",
            "   1  running         0   75s       -     -          -  lab-gpu-7f3a  lr=0.1",
            "   2  running         0   75s    0.93   400  3.200e-07  lab-gpu-7f3a  lr=0.2");
  }

  @Test
  void explainOfTaskNamesWhatShowsIt() {
    assertThat(run("explain", "sweep/3")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("write: mayfly tasks sweep/3");
  }

  @Test
  void aNarrowTableShowsTheMetricItSorts() {
    width = 80;
    control.pages.add(metrics());

    assertThat(tasks("sweep", "--sort", "loss")).isZero();
    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "TASK  STATE    ATTEMPTS  TOOK       loss     acc  step  WORKER        INPUT",
            "   2  running         0   75s  3.200e-07    0.93   400  lab-gpu-7f3a  lr=0.2",
            "   0  running         0   75s          -  0.8123  1200  lab-gpu-7f3a  lr=0.0",
            "   1  running         0   75s          -       -     -  lab-gpu-7f3a  lr=0.1");
  }

  @Test
  void tasksAreSortedOverAllPages() {
    var pages = metrics().tasks();
    control.pages.add(new TaskPage(pages.subList(0, 2), Optional.of(2L)));
    control.pages.add(new TaskPage(pages.subList(2, 3), Optional.empty()));

    assertThat(tasks("sweep", "--sort", "acc", "--desc", "-n", "1", "-o", "json")).isZero();
    assertThat(out.toString(UTF_8)).startsWith("[{\"job\":\"j1\",\"index\":2").hasLineCount(1);
  }

  @Test
  void anUnknownMetricNamesTheKnownOnes() {
    control.pages.add(metrics());

    assertThat(tasks("sweep", "--sort", "los")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("'los'; the metrics are acc, loss, step");
    assertThat(tasks("sweep", "--desc")).isEqualTo(2);
    control.pages.add(page());
    assertThat(tasks("reddit", "--sort", "acc")).isZero();
    assertThat(err.toString(UTF_8)).contains("no task of reddit has reported metrics");
  }

  @Test
  void aTaskHasItsMetricsOnItsPage() {
    control.tasks.put("2", metrics().tasks().get(2));

    assertThat(tasks("sweep/2")).isZero();
    assertThat(out.toString(UTF_8)).contains("metrics       acc=0.93 loss=3.200e-07 step=400");
  }

  private static Optional<AttemptFailure> failure(long index) {
    var said = "  File \"attempts/7/trial.py\", line 8\nKeyError: 'score'\n";
    return Optional.of(ViewFixtures.failure(index, FailureCause.USER, said));
  }

  private TaskPage page() {
    return new TaskPage(
        List.of(
            task(0, State.DONE, Map.of(), Optional.empty()),
            task(1, State.FAILED, Map.of(), failure(1)),
            task(2, State.WAITING, Map.of(), Optional.empty())),
        Optional.empty());
  }

  private void carriedOut(String what) {
    control.eventRecords.add(
        new EventRecord(
            "c1",
            "e1",
            ViewFixtures.NOW,
            "job/reddit",
            "received",
            what + ": message m1 on mayfly-jobs, published by ann (claimed)"));
  }

  @Test
  void namedTasksOfAllPagesAreCounted() {
    carriedOut("stop of tasks 0-900");
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    for (var next : List.of(Optional.of(500L), Optional.<Long>empty()))
      control.pages.add(
          new TaskPage(List.of(reporting(next.isPresent() ? 1 : 700, Map.of())), next));
    assertThat(run("stop", "reddit/0-900")).isZero();

    assertThat(out.toString(UTF_8)).contains("tasks 0-900 of job reddit: 2 running");
  }

  @Test
  void stopOfTasksWaitsForItsEvent() {
    carriedOut("stop of tasks 1,5-9");
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    control.pages.add(page());

    assertThat(run("stop", "reddit/1,5-9")).isZero();
    assertThat(control.published)
        .containsExactly(new UserCommand.StopTasks("lab", "reddit", TaskRanges.parse("1,5-9")));
    assertThat(out.toString(UTF_8)).contains("tasks 1,5-9 of job reddit: 1 failed");
  }

  @Test
  void aWideTableHasOneLineATask() {
    control.pages.add(page());

    assertThat(tasks("reddit")).isZero();
    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "TASK  STATE    ATTEMPTS  TOOK  WORKER        INPUT                                           WHY",
            "   0  done            1   75s  lab-cpu-7f3a  gs://lab-us-central2/reddit/posts-000.jsonl.gz",
            "   1  failed          3     -  lab-cpu-7f3a  gs://lab-us-central2/reddit/posts-001.jsonl.gz  KeyError: 'score' (user error, exit code 3)",
            "   2  waiting         0     -  -             gs://lab-us-central2/reddit/posts-002.jsonl.gz");
    assertThat(err.toString(UTF_8)).contains("mayfly logs reddit TASK");
  }

  @Test
  void aNarrowTableKeepsWhatTellsInputsApart() {
    width = 80;
    control.pages.add(page());

    assertThat(tasks("reddit")).isZero();
    assertThat(out.toString(UTF_8).lines()).allMatch(line -> line.length() <= 80);
    assertThat(out.toString(UTF_8)).contains("001.jsonl.gz", "KeyError: 'score'");
  }

  @Test
  void variablesStandForAnInput() {
    control.pages.add(
        new TaskPage(
            List.of(task(0, State.WAITING, Map.of("lr", "0.1", "seed", "7"), Optional.empty())),
            Optional.empty()));

    assertThat(tasks("reddit")).isZero();
    assertThat(out.toString(UTF_8)).contains("lr=0.1 seed=7");
  }

  @Test
  void pagesAreReadUntilThereAreEnough() {
    var some = page().tasks();
    control.pages.add(new TaskPage(List.of(), Optional.of(100L)));
    control.pages.add(new TaskPage(some, Optional.of(200L)));

    assertThat(tasks("reddit", "--state", "failed", "-n", "3", "-o", "json")).isZero();
    assertThat(control.calls)
        .contains(
            "GET /api/v1/clusters/lab/jobs/reddit/tasks?from=0&limit=3&state=failed",
            "GET /api/v1/clusters/lab/jobs/reddit/tasks?from=100&limit=3&state=failed");
    assertThat(out.toString(UTF_8)).startsWith("[{\"job\":\"j1\",\"index\":0,\"state\":\"done\"");
    assertThat(err.toString(UTF_8)).contains("mayfly tasks reddit --from 200");
  }

  @Test
  void oneTaskHasAPage() {
    control.tasks.put("1", task(1, State.FAILED, Map.of(), failure(1)));

    assertThat(tasks("reddit/1")).isZero();
    assertThat(out.toString(UTF_8))
        .contains(
            "task 1 of reddit: failed",
            "attempts      3: 3 failed",
            "output        gs://lab/out/1",
            "last failure  user error (exit code 3): File \"attempts/7/trial.py\", line 8 KeyError: 'score', 5s ago",
            "log           mayfly logs reddit 1");
  }

  @Test
  void pageHasEveryFailedAttempt() {
    var done = task(1, State.DONE, Map.of(), Optional.empty());
    var at = ViewFixtures.NOW.minusSeconds(90);
    var first = new AttemptFailure(1, "s0e1", FailureCause.PREEMPTED, -1, "", "lab-cpu-1", at);
    var second = failure(1).orElseThrow();
    control.tasks.put("1", done.withFailures(List.of(first, second)));

    assertThat(tasks("reddit/1")).isZero();
    assertThat(out.toString(UTF_8))
        .contains(
            "failed        2 attempts:\n    attempt s0e1 on lab-cpu-1: preempted, 90s ago\n",
            "line 8 KeyError: 'score', 5s ago")
        .doesNotContain("last failure");
  }

  @Test
  void unknownTasksAndStatesHaveTheirExitCodes() {
    assertThat(tasks("reddit/7")).isEqualTo(4);
    assertThat(tasks("reddit/7th")).isEqualTo(2);
    assertThat(tasks("reddit", "--state", "ended")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("'ended' is none of waiting, running, done");
    assertThat(tasks("reddit", "--from=-1")).isEqualTo(2);
    assertThat(tasks("reddit")).isEqualTo(4);
  }

  private int tasks(String... args) {
    var all = new String[args.length + 1];
    all[0] = "tasks";
    System.arraycopy(args, 0, all, 1, args.length);
    return run(all);
  }

  private int run(String... args) {
    var screen = TestScreen.plain(out, err, width);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    return Main.run(cliContext, args);
  }
}
