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
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
  private static final int COLUMNS = 80;
  private static final String LONG =
      "many words that say why it is so and not otherwise ".repeat(4);

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
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

  private static String text(List<String> lines) {
    return String.join(" ", lines).replaceAll(" +", " ");
  }

  private List<String> explained() {
    if (control.pages.isEmpty()) control.pages.add(new TaskPage(List.of(), Optional.empty()));
    var screen = TestScreen.plain(out, out, COLUMNS);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var env = Map.of("MAYFLY_HOME", home.toString());
    var cliContext = new CliContext(env, screen, conditionPoller, () -> "id");
    assertThat(Main.run(cliContext, "explain", "reddit")).isZero();
    return out.toString(UTF_8).lines().toList();
  }

  private static AttemptFailure failure(long task) {
    return ViewFixtures.failure(task, FailureCause.USER, LONG);
  }

  @Test
  void noLineIsWiderThanTheScreen() {
    var spec =
        ViewFixtures.jobSpec(ViewFixtures.JOB + "checkpoint: gs://lab/checkpoints/{index}/\n");
    var failures = LongStream.range(0, 12).mapToObj(ExplainCommandTest::failure);
    control.add(
        ViewFixtures.job(spec)
            .attempts(Map.of(FailureCause.USER, 12L, FailureCause.LOST, 7L))
            .failures(failures.toArray(AttemptFailure[]::new))
            .view());
    var reasons =
        List.of(
            new JobExplanation.Reason("failing", LONG), new JobExplanation.Reason("pool", LONG));
    var event = new EventRecord("c1", "e1", ViewFixtures.NOW, "job/reddit", "requeued", LONG);
    control.explanations.add(
        new JobExplanation("reddit", LONG, reasons, List.of(LONG.split(" ")), List.of(event)));

    var lines = explained();

    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(COLUMNS));
    assertThat(text(lines))
        .contains("checkpoint: checkpoints stay when tasks run again", "put {job} into the place")
        .contains("before it: many, words", "attempts without a result: 7 lost, 12 user error")
        .contains("and 2 older: mayfly tasks reddit");
  }

  @Test
  void outputsAndOlderJobsOfNameAreNamed() {
    var placed = "tasks: {count: 12, output: 'gs://lab/out/{job}/run-{index}.json'}";
    var spec = ViewFixtures.jobSpec(ViewFixtures.JOB.replace("tasks: {count: 12}", placed));
    for (var uid : List.of("j4", "j3", "j2", "j1", "j0"))
      control.add(ViewFixtures.job(spec).uid(uid).state("failed").view());
    control.explanations.add(
        new JobExplanation("reddit", "it failed", List.of(), List.of(), List.of()));

    assertThat(text(explained()))
        .contains("outputs: below gs://lab/out/j0/; of one task: mayfly tasks j0/0")
        .contains("others of its name: j4 (failed, 95s ago), j3 (failed, 95s ago), j2 (failed,")
        .contains("and 1 more (mayfly jobs -o wide); each by its uid: mayfly explain j4");
  }

  @Test
  void usedAndWhatToAskForIsTold() {
    control.workers.add(ViewFixtures.worker("lab-gpu-7f3a", "ready", 5, Optional.empty()));
    control.add(
        ViewFixtures.job(
                ViewFixtures.jobSpec(
                    ViewFixtures.JOB.replace(
                        "tasks:", "resources: {cpu: 0.25, memory: 4Gi}\ntasks:")))
            .view());
    control.explanations.add(
        new JobExplanation("reddit", "it runs", List.of(), List.of(), List.of()));
    var task = TaskFixtures.task(0, TaskStatus.State.DONE, Map.of(), Map.of());
    var used = TaskFixtures.using(task, new TaskUse(9, 0.1, 600L << 20));
    control.pages.add(new TaskPage(Collections.nCopies(4, used), Optional.empty()));

    assertThat(text(explained()))
        .contains("used: at most 600 MiB of 4 GiB asked for; 0.1 of 0.25 CPU on the mean, 40%")
        .contains("with memory: 768Mi in its resources, a quarter more")
        .contains("6 tasks more would fit on a machine like n2-standard-2, beside 2");
  }

  /** Its order was refused, and what it lost later is another matter. */
  @Test
  void waitOfAnEndedJobHasItsCause() {
    waited(TaskFixtures.using(DONE, new TaskUse(9, 0.1, 600L << 20)));

    assertThat(text(explained()))
        .contains(
            "waited: 19s before its first task began, for a machine: the cloud refused an order of pool gpu: no g2");
  }

  @Test
  void waitIsUnknownIfABeginIs() {
    waited(DONE);

    assertThat(text(explained())).doesNotContain("waited:");
  }

  private static final TaskStatus DONE =
      TaskFixtures.task(0, TaskStatus.State.DONE, Map.of(), Map.of());

  private void waited(TaskStatus task) {
    var job = ViewFixtures.job(ViewFixtures.jobSpec()).state("failed").totals(1, 0, 11, 0);
    control.add(job.view());
    var at = ViewFixtures.NOW.minusSeconds(80);
    var refused =
        new EventRecord("c1", "e1", at, "worker/a", "refused", "an order of pool gpu: no g2");
    var late =
        new EventRecord("c1", "e2", at.plusSeconds(60), "worker/b", "refused", "another one");
    var why =
        new JobExplanation("reddit", "it failed", List.of(), List.of(), List.of(late, refused));
    control.explanations.addAll(List.of(why, why));
    control.pages.add(new TaskPage(List.of(task), Optional.empty()));
  }

  @Test
  void outputsWithoutPlaceAreBelowTheBucket() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    control.explanations.add(
        new JobExplanation("reddit", "it runs", List.of(), List.of(), List.of()));

    assertThat(text(explained())).contains("outputs: below gs://lab/mayfly/j1/; of one");
  }
}
