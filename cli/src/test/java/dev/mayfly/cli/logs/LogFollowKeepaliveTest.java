package dev.mayfly.cli.logs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFollowKeepaliveTest {
  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Instant now = ViewFixtures.NOW;
  private FakeControlPlane control;
  private LogFollowKeepalive logFollowKeepalive;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    var out = new PrintStream(err, true, UTF_8);
    var screen = TestScreen.plain(out, out, Screen.ENDLESS);
    var conditionPoller = new ConditionPoller(() -> now, span -> now = now.plus(span));
    var cliContext =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
    logFollowKeepalive = new LogFollowKeepalive(cliContext, "lab", "reddit");
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private void seconds(int n) {
    for (var i = 0; i < n; i++, now = now.plusSeconds(1)) logFollowKeepalive.sendIfDue();
  }

  @Test
  void keepaliveIsSentOncePerMinute() {
    var said = new UserCommand.FollowLogs("lab", "reddit");

    seconds(60);
    assertThat(control.published).isEqualTo(List.of(said));
    assertThat(control.calls).anyMatch(call -> call.endsWith("/topics/mayfly-jobs:publish"));

    seconds(61);
    assertThat(control.published).isEqualTo(List.of(said, said, said));
  }

  @Test
  void failedKeepaliveIsReportedOnce() {
    control.close();

    seconds(130);

    assertThat(err.toString(UTF_8).lines())
        .singleElement()
        .asString()
        .startsWith("lines may arrive some ten seconds after");
  }
}
