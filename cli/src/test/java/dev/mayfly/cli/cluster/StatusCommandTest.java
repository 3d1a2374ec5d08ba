package dev.mayfly.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly status} against a fake control plane. */
class StatusCommandTest {
  private static final String MORE =
      "cluster lab has more than the newest 20 jobs; to see more: mayfly jobs -c lab -n 200";

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
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
  void olderJobsAreSaidToBeLeftOut() {
    jobs(21);

    assertThat(mayfly("status")).isZero();

    assertThat(err.toString(UTF_8)).contains(MORE);
    assertThat(out.toString(UTF_8)).contains("job-19 ").doesNotContain("job-20 ");
    assertThat(mayfly("status", "-o", "json")).isZero();
    assertThat(out.toString(UTF_8)).contains("\"moreJobs\":true");
  }

  @Test
  void twentyJobsAreAll() {
    jobs(20);

    assertThat(mayfly("status")).isZero();

    assertThat(err.toString(UTF_8)).doesNotContain("newest");
    assertThat(out.toString(UTF_8)).contains("job-19 ");
  }

  @Test
  void jobsAndMachinesAreReadAtOnce() {
    control.clusters.put("other", ViewFixtures.cluster());
    var asked = new CyclicBarrier(4);
    control.onCall =
        path -> {
          if (path.contains("/workers") || path.contains("/jobs")) meet(asked);
        };

    assertThat(mayfly("status")).isZero();

    assertThat(asked.isBroken()).isFalse();
    assertThat(control.calls).filteredOn(call -> call.contains("/cost")).hasSize(2);
  }

  private static void meet(CyclicBarrier others) {
    try {
      others.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
      // The barrier is broken.
    }
  }

  private void jobs(int number) {
    for (var i = 0; i < number; i++)
      control.add(
          ViewFixtures.job(ViewFixtures.jobSpec(ViewFixtures.JOB.replace("reddit", "job-" + i)))
              .uid("uid-" + i)
              .view());
  }

  private int mayfly(String... args) {
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var env = Map.of("MAYFLY_HOME", home.toString());
    return Main.run(
        new CliContext(env, TestScreen.plain(out, err), conditionPoller, () -> "id"), args);
  }
}
