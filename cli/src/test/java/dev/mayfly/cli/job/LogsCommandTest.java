package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
    assertThat(err.toString(UTF_8)).contains("reddit/1,3 names more than one task");
    assertThat(logs("reddit/1", "3")).isEqualTo(2);
  }

  @Test
  void rankWithoutOutputIsNamed() {
    control.add(job.state("succeeded").view());

    assertThat(logs("reddit", "--rank", "3")).isZero();
    assertThat(err.toString(UTF_8)).contains("rank 3 of job reddit has printed nothing");
    assertThat(logs("reddit", "--rank=-1")).isEqualTo(4);
    assertThat(err.toString(UTF_8)).contains("job reddit has no rank -1; its ranks are 0 to 0");
  }

  private int logs(String... args) {
    var screen =
        new Screen(
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            false,
            false,
            Screen.ENDLESS);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    var all = new String[args.length + 1];
    all[0] = "logs";
    System.arraycopy(args, 0, all, 1, args.length);
    return Main.run(cliContext, all);
  }
}
