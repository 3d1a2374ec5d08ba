package dev.mayfly.cli.session;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly dev}: the job that it submits, and whose it is. */
@Timeout(60)
class DevCommandTest {
  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    var uid = UserCommand.SubmitJob.uid("id-ann");
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "n2-standard-2", uid));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void sessionIsJobThatEndsByItself() {
    assertThat(dev("ann", "--for", "90m", "--cpu", "2", "--env", "A=b", "--pool", "cpu")).isZero();

    var job = published();
    assertThat(job.name()).isEqualTo("dev-ann");
    assertThat(job.owner()).contains("ann");
    assertThat(job.run().command()).containsExactly("sleep", "5400");
    assertThat(job.run().timeout()).isEqualTo(Duration.ofMinutes(150));
    assertThat(job.run().env()).isEqualTo(Map.of("A", "b", "DEV_SESSION_SECONDS", "5400"));
    assertThat(job.retries().failures()).isEqualTo(1);
    assertThat(job.retries().infrastructure()).isEqualTo(1);
    assertThat(job.resources().cpuMillis()).isEqualTo(2_000);
    assertThat(job.place().pools()).containsExactly("cpu");
    assertThat(err.toString(UTF_8))
        .contains("session dev-ann lasts another 1h29m; mayfly dev returns to it");
  }

  @Test
  void secondCommandSubmitsNothing() {
    assertThat(dev("ann")).isZero();
    assertThat(dev("ann", "--gpu", "8")).isZero();

    assertThat(control.published).hasSize(1);
    assertThat(err.toString(UTF_8)).contains("session dev-ann runs already");
  }

  @Test
  void sessionsOfTwoUsersMayHaveOneName() {
    assertThat(dev("ann", "--name", "shared")).isZero();
    assertThat(control.calls).contains("GET /api/v1/clusters/lab/jobs/dev-shared?owner=ann");
    var uid = UserCommand.SubmitJob.uid("id-bob");
    control.workers.add(ViewFixtures.worker("lab-cpu-b", "n2-standard-2", uid));
    assertThat(dev("bob", "--name", "shared")).isZero();

    assertThat(control.published)
        .map(command -> ((UserCommand.SubmitJob) command).spec().address())
        .containsExactly("ann/dev-shared", "bob/dev-shared");
  }

  @Test
  void wrongTimeAndMissingSessionAreRefused() {
    assertThat(dev("ann", "--for", "8")).isEqualTo(2);
    assertThat(dev("ann", "--end")).isEqualTo(4);

    assertThat(err.toString(UTF_8))
        .contains("timeout")
        .contains("cluster lab has no session dev-ann");
    assertThat(control.published).isEmpty();
  }

  @Test
  void namesOfUsersBecomeNamesOfJobs() {
    var cliContext = context("Ann.Lee@lab.org");

    assertThat(DevSession.of(cliContext, "lab", Optional.empty()).name())
        .isEqualTo("dev-ann-lee-lab-org");
    assertThat(DevSession.of(cliContext, "lab", Optional.of("dev-x")).name()).isEqualTo("dev-x");
  }

  private JobSpec published() {
    return ((UserCommand.SubmitJob) control.published.getFirst()).spec();
  }

  private CliContext context(String user) {
    var stream = new PrintStream(err, true, UTF_8);
    var env = Map.of("HOME", home.toString(), "MAYFLY_HOME", home.toString(), "USER", user);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    return new CliContext(
        env, TestScreen.plain(stream, stream, 80), conditionPoller, () -> "id-" + user, home);
  }

  private int dev(String user, String... options) {
    var line = new ArrayList<>(List.of("dev", "--no-code", "--no-attach"));
    line.addAll(List.of(options));
    return Main.run(context(user), line.toArray(String[]::new));
  }
}
