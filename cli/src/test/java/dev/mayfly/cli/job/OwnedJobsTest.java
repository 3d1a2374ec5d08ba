package dev.mayfly.cli.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands say who asks, and publish whose job they mean. */
class OwnedJobsTest {
  private static final String JOB = "GET /api/v1/clusters/lab/jobs/reddit";

  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    var like = ViewFixtures.jobSpec();
    var anns =
        new JobSpec(
            like.name(),
            like.cluster(),
            Optional.of("ann"),
            like.tasks(),
            like.data(),
            like.run(),
            like.resources(),
            like.retries(),
            like.priority(),
            like.place(),
            like.exclusive(),
            like.gang(),
            like.anyRegion(),
            like.settle(),
            like.admissionRules());
    control.add(ViewFixtures.job(anns).view(), ViewFixtures.job(anns).state("stopping").view());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private int run(String user, String... args) {
    var stream = new PrintStream(err, true, UTF_8);
    var env = Map.of("MAYFLY_HOME", home.toString(), "USER", user);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var screen = TestScreen.plain(stream, stream, 200);
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id"), args);
  }

  @Test
  void ownNameIsAskedForFirstAndPublishedWhole() {
    assertThat(run("ann", "stop", "reddit")).isZero();

    assertThat(control.calls).contains(JOB + "?caller=ann");
    assertThat(control.published).containsExactly(new UserCommand.StopJob("lab", "ann/reddit"));
  }

  @Test
  void othersJobIsChangedByItsAddressAlone() {
    for (var verb : new String[] {"stop", "retry", "close"})
      assertThat(run("eve", verb, "reddit")).isEqualTo(2);
    assertThat(err.toString(UTF_8))
        .contains("job reddit is ann's; to change it, name it ann/reddit");
    assertThat(control.published).isEmpty();

    assertThat(run("eve", "stop", "ann/reddit")).isZero();

    assertThat(control.calls).contains(JOB + "?owner=ann");
    assertThat(control.published).containsExactly(new UserCommand.StopJob("lab", "ann/reddit"));
  }

  @Test
  void addressesAndTasksAreTold() {
    assertThat(TaskSelection.parse("ann/reddit")).isEmpty();
    assertThat(TaskSelection.parse("ann/reddit/3,5-9").orElseThrow().job()).isEqualTo("ann/reddit");
    assertThat(TaskSelection.parse("reddit/3").orElseThrow().job()).isEqualTo("reddit");
  }
}
