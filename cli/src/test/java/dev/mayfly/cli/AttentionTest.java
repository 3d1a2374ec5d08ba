package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.flow.Waiting;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.core.model.Command;
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

class AttentionTest {
  @TempDir Path home;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Instant now = Fixtures.NOW;
  private TestControl control;
  private Attention attention;

  @BeforeEach
  void start() throws IOException {
    control = new TestControl();
    control.announce(home);
    var out = new PrintStream(err, true, UTF_8);
    var screen = new Screen(out, out, false, false, Screen.ENDLESS);
    var waiting = new Waiting(() -> now, span -> now = now.plus(span));
    var session = new Session(Map.of("MAYFLY_HOME", home.toString()), screen, waiting, () -> "id");
    attention = new Attention(session, "lab", "reddit");
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private void seconds(int n) {
    for (var i = 0; i < n; i++, now = now.plusSeconds(1)) attention.pay();
  }

  @Test
  void saysOnceAMinuteThatSomebodyReads() {
    var said = new Command.FollowLogs("lab", "reddit");

    seconds(60);
    assertThat(control.published).isEqualTo(List.of(said));
    assertThat(control.calls).anyMatch(call -> call.endsWith("/topics/mayfly-jobs:publish"));

    seconds(61);
    assertThat(control.published).isEqualTo(List.of(said, said, said));
  }

  @Test
  void whoCannotSayItReadsOnAndIsToldOnce() {
    control.close();

    seconds(130);

    assertThat(err.toString(UTF_8).lines())
        .singleElement()
        .asString()
        .startsWith("lines may come up to five minutes after");
  }
}
