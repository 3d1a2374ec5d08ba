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
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetryCommandTest {
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

  private int run(String... args) {
    var screen = TestScreen.plain(out, out, 200);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var env = Map.of("MAYFLY_HOME", home.toString());
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id"), args);
  }

  private static JobStatus job(String state, String maxUsd) {
    var spec = ViewFixtures.jobSpec(ViewFixtures.JOB + "maxUsd: " + maxUsd + "\n");
    return ViewFixtures.job(spec).state(state).view();
  }

  private static UserCommand.RetryJob upTo(double usd) {
    return new UserCommand.RetryJob("lab", "reddit").upTo(Optional.of(usd));
  }

  @Test
  void limitOfARunningJobIsRaised() {
    control.add(job("running", "25"), job("running", "50.5"));

    assertThat(run("retry", "reddit", "--max-usd", "50.5")).isZero();

    assertThat(control.published).containsExactly(upTo(50.5));
    assertThat(out.toString(UTF_8)).contains("job reddit may cost $50.50 in all");
  }

  @Test
  void runTimeOfARunningJobIsChanged() {
    var longer =
        ViewFixtures.job(ViewFixtures.jobSpec(ViewFixtures.JOB + "maxRunTime: 30h\n"))
            .state("running")
            .view();
    control.add(job("running", "25"), longer);

    assertThat(run("retry", "reddit", "--max-run-time", "30h")).isZero();

    assertThat(control.published)
        .containsExactly(
            new UserCommand.RetryJob("lab", "reddit").lasting(Optional.of(Duration.ofHours(30))));
    assertThat(out.toString(UTF_8))
        .contains("job reddit may take 30h from the start of its first task");
  }

  @Test
  void limitsAreOfWholeJobs() {
    assertThat(run("retry", "reddit/3", "--max-run-time", "30h")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).contains("--max-run-time is for a whole job");
  }

  @Test
  void smallLimitIsPublishedAsItIs() {
    control.add(job("stopped", "0.01"), job("running", "0.0125"));

    assertThat(run("retry", "reddit", "--max-usd", "0.0125")).isZero();

    assertThat(control.published).containsExactly(upTo(0.0125));
  }

  @Test
  void limitThatIsNoneIsRefused() {
    control.add(job("stopped", "25"));

    for (var bad : new String[] {"0", "-1", "1e400", "NaN", "fifty"}) {
      out.reset();
      assertThat(run("retry", "reddit", "--max-usd", bad)).as(bad).isEqualTo(2);
      assertThat(out.toString(UTF_8)).as(bad).containsAnyOf("maxUsd", "--max-usd");
    }
    assertThat(control.published).isEmpty();
  }

  @Test
  void tasksThatAreNotKnownYetAreNotCounted() {
    var spec = ViewFixtures.jobSpec();
    control.add(
        ViewFixtures.job(spec).state("failed").view(),
        ViewFixtures.job(spec).state("expanding").totals(12, 0, 0, 0).view());

    assertThat(run("retry", "reddit")).isZero();

    assertThat(out.toString(UTF_8)).contains("job reddit runs again\n");
  }

  @Test
  void rangeOfTasksMustBeOne() {
    assertThat(run("retry", "reddit/9-5")).isEqualTo(2);
    assertThat(out.toString(UTF_8)).contains("reddit/9-5 is not a range of tasks; write 3 or 5-9");
    assertThat(control.published).isEmpty();
  }

  @Test
  void retryOfDoneTaskNamesWhatRunsItAgain() {
    control.eventRecords.add(
        new EventRecord(
            "c1",
            "e1",
            ViewFixtures.NOW,
            "job/reddit",
            "received",
            "retry of tasks 1,5-9: message m1 on mayfly-jobs, published by ann (claimed)"));
    control.add(job("running", "25"));
    var done = TaskFixtures.task(5, TaskStatus.State.DONE, Map.of(), Map.of());
    control.pages.add(new TaskPage(List.of(done), Optional.empty()));

    assertThat(run("retry", "reddit/1,5-9")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("tasks 1,5-9 of job reddit: 1 done\nwhat is done does not run again; to run")
        .contains("submit the job again: mayfly submit FILE --again 1,5-9");
  }
}
