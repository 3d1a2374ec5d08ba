package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that runs without some of its inputs is not taken for a whole one. */
class LeftOutInputsTest {
  private static final String SAID =
      "2 inputs left out because of their names, first gs://lab/a\\u0009b: rename what is left"
          + " out and submit again";

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.onSubmit =
        job -> {
          var uid = UserCommand.SubmitJob.uid(job.submission().orElseThrow());
          var builder = ViewFixtures.job(job.spec()).uid(uid).leavingOut(2, "gs://lab/a\\u0009b");
          return List.of(builder.view(), builder.state("succeeded").view());
        };
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private List<String> submit(String... options) throws IOException {
    var args = new ArrayList<>(List.of("submit"));
    args.add(Files.writeString(home.resolve("job.yaml"), ViewFixtures.JOB).toString());
    args.addAll(List.of(options));
    var stream = new PrintStream(out, true, UTF_8);
    var screen = TestScreen.plain(stream, stream, Screen.ENDLESS);
    var env = Map.of("MAYFLY_HOME", home.toString(), "USER", "ann");
    var poller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    assertThat(
            Main.run(new CliContext(env, screen, poller, () -> "id"), args.toArray(String[]::new)))
        .isZero();
    return out.toString(UTF_8).lines().toList();
  }

  @Test
  void acceptanceSaysWhatIsLeftOut() throws IOException {
    assertThat(submit()).endsWith(SAID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--wait", "--follow"})
  void endSaysItAgain(String option) throws IOException {
    assertThat(submit(option))
        .contains(SAID)
        .last()
        .asString()
        .startsWith("job reddit succeeded in")
        .endsWith("; " + SAID);
  }
}
