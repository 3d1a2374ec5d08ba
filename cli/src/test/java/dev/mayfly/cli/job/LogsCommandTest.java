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
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.gcs.ObjectStores;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly logs}, with present and missing logs. */
class LogsCommandTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private ViewFixtures.JobBuilder job = ViewFixtures.job(ViewFixtures.jobSpec());
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    job = job.bucket("file://" + home.resolve("bucket"));
    var log = home.resolve("bucket/mayfly/.jobs/j1/logs/00000000/1/00000000.log");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "hello\n");
    Files.setLastModifiedTime(log, FileTime.from(ViewFixtures.NOW.minusSeconds(3600)));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void linesNameTheirTask() {
    control.add(job.view());

    assertThat(logs("reddit")).isZero();
    assertThat(out.toString(UTF_8)).isEqualTo("[0] hello\n");
  }

  @Test
  void taskWithoutOutputIsNotItsJob() {
    control.add(job.totals(5, 0, 7, 0).view());

    assertThat(logs("reddit", "11")).isZero();
    assertThat(err.toString(UTF_8))
        .contains("task 11 of job reddit has printed nothing yet; the job is waiting");

    control.add(job.state("stopped").view());
    assertThat(logs("reddit", "11")).isZero();
    assertThat(err.toString(UTF_8))
        .contains("task 11 of job reddit has printed nothing; the job is stopped");
  }

  @Test
  void taskMayStandInTheTarget() {
    control.add(job.totals(5, 0, 7, 0).view());

    assertThat(logs("reddit/11")).isZero();
    assertThat(err.toString(UTF_8)).contains("task 11 of job reddit has printed nothing yet");
    assertThat(logs("reddit/1,3")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("reddit/1,3 are several tasks; logs shows one");
    assertThat(logs("reddit/1", "3")).isEqualTo(2);
  }

  @Test
  void rankWithoutOutputIsNamed() {
    control.add(job.state("succeeded").view());

    assertThat(logs("reddit", "--rank", "3")).isEqualTo(4);
    assertThat(err.toString(UTF_8))
        .contains("job reddit has no rank 3 with a log; there are logs of rank 0");
    assertThat(logs("reddit", "11", "--rank", "3")).isZero();
    assertThat(err.toString(UTF_8)).contains("rank 3 of task 11 of job reddit has printed nothing");
    assertThat(logs("reddit", "--rank=-1")).isEqualTo(4);
    assertThat(err.toString(UTF_8)).contains("job reddit has no rank -1; its ranks are 0 to 0");
  }

  @Test
  void optionsThatMeanNothingNameTheRemedy() {
    control.add(job.view());

    assertThat(logs("reddit", "--tail=-1")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--tail is -1; write 0 or more");
    assertThat(logs("reddit", "--since", "noon")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .contains("--since: 'noon' is neither a duration nor a time; write 90s, 10m or 1h30m");
    assertThat(logs("reddit", "--since", "9999-01-01T00:00:00Z")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("9999-01-01T00:00:00Z is in the future");
    assertThat(logs("reddit", "--grep", "(?=x)")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("--grep: '(?=x)' is not a regular expression of RE2");
  }

  @Test
  void linesThatAreNotShownAreExplained() {
    control.add(job.view());

    assertThat(logs("reddit", "--grep", "bye", "-n", "3")).isZero();
    assertThat(err.toString(UTF_8)).contains("job reddit has no line with 'bye' in it; the job is");
    assertThat(logs("reddit", "-n", "0")).isZero();
    assertThat(err.toString(UTF_8))
        .contains("job reddit has printed something, of which -n 0 shows no line; the job is")
        .doesNotContain("nothing");
    assertThat(logs("reddit", "--since", "1s")).isZero();
    assertThat(err.toString(UTF_8)).contains("job reddit has no line stored in the last 1s; the");
    assertThat(logs("reddit", "0", "--attempt", "s0e9")).isEqualTo(4);
    assertThat(err.toString(UTF_8))
        .contains("task 0 of job reddit has no attempt s0e9 with a log; its attempts are 1");
    assertThat(logs("reddit", "--grep", "^hel+o$", "-n", "3", "--since", "2020-01-01T00:00:00Z"))
        .isZero();
    assertThat(out.toString(UTF_8)).isEqualTo("[0] hello\n");
  }

  /** The line in the log may be far up. */
  @Test
  void logThatIsCutIsNoted() {
    for (var task = 0; task < 5; task++) {
      var url = "file://%s/mayfly/.jobs/j1/logs/%08d/s0e1/00001.log";
      var left = Content.of("\n--- mayfly: left out ---\n".getBytes(UTF_8));
      ObjectStores.of(Map.of())
          .create(
              ObjectUrl.of(url.formatted(home.resolve("bucket"), task)),
              left,
              task == 1 ? CutLog.cut(64 << 20) : CutLog.cut(64 << 20, 7_000_000));
    }
    control.add(job.totals(5, 0, 0, 5).view());

    assertThat(logs("reddit", "--grep", "hello")).isZero();
    assertThat(err.toString(UTF_8))
        .contains(
            "attempt s0e1 of task 0: 7,000,000 bytes left out of the middle of its log; logLimit in"
                + " the job keeps more (now 64 MiB)",
            "attempt s0e1 of task 1: its log is longer than its limit: after the first 32 MiB only"
                + " the last 32 MiB are kept, and stored when it has ended; logLimit in the job",
            "attempt s0e1 of task 2",
            "2 attempts more have logs with parts left out; of one task: mayfly tasks reddit/TASK")
        .doesNotContain("of task 3");
    err.reset();
    assertThat(logs("reddit", "3")).isZero();
    assertThat(err.toString(UTF_8)).contains("of task 3").doesNotContain("of task 0");
    err.reset();
    control.tasks.put("3", TaskFixtures.task(3, TaskStatus.State.DONE, Map.of(), Map.of()));
    assertThat(run("tasks", "reddit/3")).isZero();
    assertThat(err.toString(UTF_8)).contains("s0e1 of task 3: 7,000,000 bytes left out");
  }

  @Test
  void workOfAnEarlierJobNamesItsLog() {
    control.add(
        job.totals(new TaskTotals(12, 0, 0, 0, 2).withEarlier(12)).state("succeeded").view());
    control.pages.add(
        new TaskPage(
            List.of(TaskFixtures.adopted(0, "jc1a2/7"), TaskFixtures.adopted(3, "jc1a2/8")),
            Optional.empty()));

    assertThat(logs("reddit")).isZero();
    assertThat(err.toString(UTF_8))
        .contains(
            "12 of 12 done tasks of job reddit did not run: adopted from job jc1a2; the log of that work:"
                + " mayfly logs jc1a2");
    err.reset();
    control.tasks.put("3", TaskFixtures.adopted(3, "jc1a2/8"));
    assertThat(logs("reddit/3")).isZero();
    assertThat(err.toString(UTF_8))
        .contains(
            "task 3 of job reddit did not run: adopted from task jc1a2/8; the log of that work:"
                + " mayfly logs jc1a2/8");
  }

  private int logs(String... args) {
    var all = new String[args.length + 1];
    all[0] = "logs";
    System.arraycopy(args, 0, all, 1, args.length);
    return run(all);
  }

  private int run(String... args) {
    var screen = TestScreen.plain(out, err);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    return Main.run(cliContext, args);
  }
}
