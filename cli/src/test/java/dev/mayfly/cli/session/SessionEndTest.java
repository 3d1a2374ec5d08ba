package dev.mayfly.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionEndTest {
  private static final SessionTarget TASK =
      new SessionTarget(
          new Machine("lab", "lab-cpu-a", 0, "z-1", false, false, Optional.of("7")),
          Optional.of(new TaskAddress("j1", "reddit", 2, OptionalInt.empty())));

  @TempDir Path home;
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
  void anEndedTaskIsNamedAsItsUserDoes() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).uid("j1").state("succeeded").view());

    assertThat(explained(93))
        .contains(
            "task reddit/2 does not run there any more; mayfly tasks reddit tells how it ended");
  }

  @Test
  void aCommandsOwnCodeIsItsOwn() {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).uid("j1").view());
    control.workers.add(ViewFixtures.worker("lab-cpu-a", "n2-standard-2", "j1"));

    assertThat(explained(93)).isEmpty();
    assertThat(explained(1)).isEmpty();
  }

  private Optional<String> explained(int code) {
    var none = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    var cliContext =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString()),
            TestScreen.plain(none, none, 80),
            new ConditionPoller(() -> ViewFixtures.NOW, span -> {}),
            () -> "id");
    return new SessionEnd(cliContext, MachineShell.of(cliContext)).explain(TASK, code);
  }
}
