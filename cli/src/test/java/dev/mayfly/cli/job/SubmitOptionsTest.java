package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.estimate.DurationSample;
import dev.mayfly.core.query.estimate.JobEstimate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options and arguments of {@code mayfly submit}. */
class SubmitOptionsTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int ids;
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
  void argumentsBeforeDashesAreRefused() throws IOException {
    for (var line : List.of(List.of("3"), List.of("3", "--", "4"), List.of("other.yaml"))) {
      var all = new ArrayList<>(List.of("submit", file(ViewFixtures.JOB)));
      all.addAll(line);

      assertThat(mayfly(all.toArray(String[]::new))).isEqualTo(2);
      assertThat(err()).contains("'" + line.getFirst() + "' is neither a file", "after --");
    }
    assertThat(control.published).isEmpty();
  }

  @Test
  void dryRunRefusesWhatSubmissionRefuses() throws IOException {
    var items = "tasks: {items: [{name: a}, {name: b}], output: 'gs://lab/out/{name}'}";
    var file = file(ViewFixtures.JOB.replace("tasks: {count: 12}", items));

    assertThat(mayfly("submit", file, "--dry-run")).isEqualTo(2);
    assertThat(err()).contains("tasks 0 and 1 both have the output gs://lab/out/reddit");
    file =
        file(ViewFixtures.JOB.replace("{count: 12}", "{count: 12, output: 'gs://other/{index}'}"));
    assertThat(mayfly("submit", file, "--dry-run")).isEqualTo(2);
    assertThat(err()).contains("gs://other/0 is neither in the cluster's bucket");
    assertThat(control.published).isEmpty();
  }

  @Test
  void dryRunRefusesDistantDataAndLargeJobs() throws IOException {
    control.locations.put("lab-eu", "EUROPE-WEST4");
    control.clusters.put("lab", ViewFixtures.cluster("gs://lab-eu"));

    assertThat(mayfly("submit", file(ViewFixtures.JOB), "--dry-run")).isEqualTo(2);
    assertThat(err()).contains("output: gs://lab-eu is in europe-west4", "anyRegion: true");
    control.clusters.put(
        "lab",
        ViewFixtures.clusterOf("lab", ViewFixtures.CLUSTER + "limits: {confirmTasks: 10}\n"));
    assertThat(mayfly("submit", file(ViewFixtures.JOB), "--dry-run")).isEqualTo(2);
    assertThat(err()).contains("confirm it (mayfly submit --yes");
    assertThat(mayfly("submit", file(ViewFixtures.JOB), "--dry-run", "--yes")).isZero();
  }

  @Test
  void dryRunRefusesWhatPoolsLack() throws IOException {
    var file = file(ViewFixtures.JOB + "image: lab/x:1\n");

    assertThat(mayfly("submit", file, "--dry-run")).isZero();
    control.clusters.put("lab", ViewFixtures.clusterWithoutContainers("starts from bare"));
    assertThat(mayfly("submit", file, "--dry-run")).isEqualTo(2);
    assertThat(err()).contains("image: needs a container engine", "cpu: starts from bare");
  }

  @Test
  void dryRunCountsNoTasksThatAreKnownLater() throws IOException {
    var merge = "tasks: {inputsOf: map, output: 'gs://lab/labels/{stem}'}";
    var file = file(ViewFixtures.JOB.replace("tasks: {count: 12}", merge) + "after: [map]\n");

    assertThat(mayfly("submit", file, "--dry-run", "--force")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("starts after map, and its tasks are known then")
        .doesNotContain("0 tasks");
    out.reset();
    assertThat(mayfly("submit", file(ViewFixtures.JOB + "after: [map]\n"), "--dry-run", "--force"))
        .isZero();
    assertThat(out.toString(UTF_8)).contains("12 tasks", "it starts after map\n");
  }

  @Test
  void dryRunSaysWhatOneTaskGathers() throws IOException {
    var merge = "tasks: {inputsOf: {job: map, gather: true}, output: 'gs://lab/all'}";
    var file = file(ViewFixtures.JOB.replace("tasks: {count: 12}", merge));

    assertThat(mayfly("submit", file, "--dry-run", "--force")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("starts after map\n  its task reads all outputs of job map, as one folder\n")
        .doesNotContain("0 tasks");
  }

  @Test
  void dryRunSaysWhatTheJobTakes() throws IOException {
    var file = file(ViewFixtures.JOB);

    assertThat(mayfly("submit", file, "--dry-run")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("time and cost are unknown: no job ", " has done a task before; --each 20m says");
    out.reset();

    assertThat(mayfly("submit", file, "--dry-run", "--each", "20m")).isZero();
    assertThat(out.toString(UTF_8)).contains("its tasks take ", "if each takes 20m");
    out.reset();

    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).state("succeeded").view());
    control.estimate =
        new JobEstimate(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(DurationSample.said(Duration.ofMinutes(5))),
            "unknown: its tasks do not run");
    assertThat(mayfly("submit", file, "--dry-run")).isZero();
    assertThat(out.toString(UTF_8)).contains("its tasks take ", "each as the 36 tasks of job ");
  }

  @Test
  void dryRunSaysWhichLimitsStopTheJob() throws IOException {
    var file = file(ViewFixtures.JOB + "queueTimeout: 10m\nmaxUsd: 0.01\nmaxRunTime: 9h\n");

    assertThat(mayfly("submit", file, "--dry-run", "--each", "20m", "--max-run-time", "1m"))
        .isZero();
    assertThat(out.toString(UTF_8))
        .contains("\n  it is stopped if no task starts within 10m (queueTimeout)\n")
        .containsSubsequence(
            "\n  its maxUsd of $0.01 stops it before its end\n",
            "  its maxRunTime of 60s stops it before its end\n",
            "its tasks take ");
  }

  @Test
  void timeOfATaskIsOfAPlanAlone() throws IOException {
    assertThat(mayfly("submit", file(ViewFixtures.JOB), "--each", "20m")).isEqualTo(2);
    assertThat(err()).contains("write --dry-run beside it");
    assertThat(control.published).isEmpty();
  }

  @Test
  void dryRunRefusesTakenName() throws IOException {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());

    assertThat(mayfly("submit", file(ViewFixtures.JOB), "--dry-run")).isZero();
    assertThat(err()).contains("is live with this content already");
    var other = file(ViewFixtures.JOB.replace("12", "13"));
    assertThat(mayfly("submit", other, "--dry-run")).isEqualTo(2);
    assertThat(err()).contains("name: a job named reddit is live on cluster lab");
  }

  @Test
  void workersThatAreNotThereAreTold() throws IOException {
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "ready", 5, Optional.empty()));
    var file = file(ViewFixtures.JOB + "workers: [lab-cpu-a, nosuch]\n");

    for (var option : List.of("--dry-run", "--force")) {
      assertThat(mayfly("submit", file, option)).isZero();
      assertThat(err())
          .contains(": workers: cluster lab has no worker nosuch now", "its workers are lab-cpu-a");
      err.reset();
    }
    assertThat(mayfly("submit", file(ViewFixtures.JOB + "workers: [lab-cpu-a]\n"))).isZero();
    assertThat(err()).doesNotContain("has no worker");
  }

  @Test
  void againNamesTasksOrMeansAll() throws IOException {
    var file = file(ViewFixtures.JOB);

    assertThat(mayfly("submit", file, "--again", "3,5-9", "--", "7")).isZero();
    assertThat(mayfly("submit", "--again", file)).isZero();
    assertThat(mayfly("submit", file, "--again", "9-5")).isEqualTo(2);
    assertThat(err()).contains("--again 9-5 is not a range of tasks");

    var rules =
        control.published.stream()
            .map(command -> ((UserCommand.SubmitJob) command).spec().data().doneRule())
            .toList();
    assertThat(rules)
        .containsExactly(
            new DoneRule(false, false, false, Optional.of(TaskRanges.parse("3,5-9"))),
            new DoneRule(false, false, true));
  }

  @Test
  void againSaysThatCheckpointsStay() throws IOException {
    var words = "checkpoints stay when tasks run again";
    var own = file(ViewFixtures.JOB + "checkpoint: gs://lab/ck/{job}/{index}/\n");
    assertThat(mayfly("submit", own, "--again", "--dry-run")).isZero();
    var kept = file(ViewFixtures.JOB + "checkpoint: gs://lab/ck/{name}/{index}/\n");
    assertThat(mayfly("submit", kept, "--dry-run")).isZero();
    assertThat(err()).doesNotContain(words);

    assertThat(mayfly("submit", kept, "--again", "--dry-run")).isZero();
    assertThat(err()).contains(words, "at gs://lab/ck/", "put {job} into");
  }

  @Test
  void checkpointsOfEarlierJobAreSaidToStay() throws IOException {
    var words = "checkpoints stay when tasks run again";
    var changed =
        ViewFixtures.JOB.replace("{count: 12}", "{count: 12, done: [code], output: '%s'}");
    var checkpoint = "checkpoint: gs://lab/ck/{name}/{index}/\n";
    var kept = ViewFixtures.JOB + checkpoint;
    var withCode = changed.formatted("gs://lab/o/{index}") + "code: gs://lab/c.zip\n" + checkpoint;
    assertThat(mayfly("submit", file(withCode), "--print")).isZero();
    assertThat(err()).contains(words, "one that had finished ends at once");
    err.reset();

    assertThat(mayfly("submit", file(kept), "--dry-run")).isZero();
    assertThat(err()).doesNotContain(words);
    control.add(ViewFixtures.job(ViewFixtures.jobSpec(kept)).state("succeeded").view());
    assertThat(mayfly("submit", file(kept), "--dry-run")).isZero();
    assertThat(err()).contains(words);

    control.explanations.add(new JobExplanation("j1", "it ended", List.of(), List.of(), List.of()));
    assertThat(mayfly("explain", "reddit")).isZero();
    assertThat(out.toString(UTF_8)).contains("checkpoint: " + words);
  }

  /**
   * Outputs with places of their own are an earlier job's, too, and what is done does not count.
   */
  @Test
  void explainSaysThatCheckpointsStay() {
    var done = "{count: 12, done: [job], output: 'gs://lab/o/{index}'}";
    var again =
        ViewFixtures.JOB.replace("{count: 12}", done) + "checkpoint: gs://lab/ck/{name}/{index}/\n";
    control.add(ViewFixtures.job(ViewFixtures.jobSpec(again)).state("succeeded").view());
    control.explanations.add(new JobExplanation("j1", "it ended", List.of(), List.of(), List.of()));

    assertThat(mayfly("explain", "reddit")).isZero();

    assertThat(out.toString(UTF_8)).contains("checkpoint: checkpoints stay when tasks run again");
  }

  @Test
  void explainSaysWhenARunningJobIsDone() {
    control.estimate = JobEstimate.unknown("none of its tasks has ended yet");
    var job = ViewFixtures.job(ViewFixtures.jobSpec());
    control.add(job.state("running").view());
    control.explanations.add(new JobExplanation("j1", "it runs", List.of(), List.of(), List.of()));
    assertThat(mayfly("explain", "reddit")).isZero();
    assertThat(out.toString(UTF_8)).contains("  end: unknown: none of its tasks has ended yet");
    out.reset();

    control.add(job.state("succeeded").view());
    control.explanations.add(new JobExplanation("j1", "it ended", List.of(), List.of(), List.of()));
    assertThat(mayfly("explain", "reddit")).isZero();
    assertThat(out.toString(UTF_8)).doesNotContain("  end: ");
  }

  @Test
  void fileThatNoCodeBringsIsNamed() throws IOException {
    Files.writeString(home.resolve("train.py"), "");
    var file = ViewFixtures.JOB.replace("[echo, \"{index}\"]", "[python3, %s]");

    assertThat(mayfly("submit", file(file.formatted("train.py")), "--dry-run")).isZero();
    assertThat(err()).contains("command: names train.py, a file beside this one", "write code: .");
    assertThat(mayfly("validate", file(file.formatted("train.py")))).isZero();
    assertThat(err() + out.toString(UTF_8)).contains("job.yaml:6: command: names train.py");
    err.reset();
    assertThat(mayfly("submit", file(file.formatted("other.py")), "--dry-run")).isZero();
    assertThat(mayfly("submit", file(file.formatted("train.py") + "image: a:1\n"), "--dry-run"))
        .isZero();
    assertThat(mayfly("submit", file(file.formatted("train.py") + "code: .\n"), "--dry-run"))
        .isZero();
    assertThat(err()).doesNotContain("names train.py");
  }

  private int mayfly(String... args) {
    var lines = new PrintStream(out, true, UTF_8);
    var screen = TestScreen.plain(lines, new PrintStream(err, true, UTF_8), Screen.ENDLESS);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var variables = Map.of("MAYFLY_HOME", home.toString());
    return Main.run(new CliContext(variables, screen, conditionPoller, () -> "id-" + ++ids), args);
  }

  private String file(String text) throws IOException {
    return Files.writeString(home.resolve("job.yaml"), text).toString();
  }

  private String err() {
    return err.toString(UTF_8);
  }
}
