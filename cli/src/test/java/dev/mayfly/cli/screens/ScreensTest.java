package dev.mayfly.cli.screens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.output.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/screens.md} has what commands print in one scene on a narrow and a wide terminal.
 * After a deliberate change run it with {@code -Dmayfly.docs=write} and read the page: what you do
 * not like to read there, nobody does.
 */
class ScreensTest {
  private static final Path PAGE = Path.of("../docs/screens.md");
  private static final List<Integer> WIDTHS = List.of(80, 200);
  private static final List<String> COMMANDS =
      List.of(
          "status",
          "jobs",
          "workers",
          "events",
          "explain train",
          "explain huge",
          "cost --by job",
          "tasks sweep",
          "tasks sweep --group-by lr,batch --sort acc.mean --desc",
          "tasks reddit-toxicity-classification-2026-05");

  @TempDir Path home;

  @Test
  void pageHasWhatCommandsPrint() throws IOException {
    var page =
        new StringBuilder(
            Files.readString(Path.of("src/test/resources/dev/mayfly/cli/screens/intro.md")));
    for (var command : COMMANDS) {
      page.append("\n## `mayfly ").append(command).append("`\n");
      for (var width : WIDTHS)
        page.append("\n%d columns:\n\n```\n%s```\n".formatted(width, shown(command, width)));
    }
    if ("write".equals(System.getProperty("mayfly.docs"))) Files.writeString(PAGE, page);

    assertThat(Files.readString(PAGE))
        .as(
            "docs/screens.md is stale: ./build -pl cli -am test -Dtest=ScreensTest -Dmayfly.docs=write")
        .isEqualTo(page.toString());
  }

  /** Every line of a table is one line on the terminal. */
  @Test
  void everyLineFits() throws IOException {
    for (var width : List.of(60, 80, 100, 120, 200))
      for (var command : COMMANDS)
        assertThat(shown(command, width, new ByteArrayOutputStream()).lines())
            .as("mayfly %s at %d columns", command, width)
            .allMatch(line -> columns(line) <= width);
  }

  private static int columns(String line) {
    // The wide characters of the scene: each takes two.
    return line.length() + (int) line.chars().filter(c -> c > 0x2e80).count();
  }

  private String shown(String command, int width) throws IOException {
    var both = new ByteArrayOutputStream();
    shown(command, width, both);
    return both.toString(UTF_8);
  }

  /** The output, and with messages what a person sees. */
  private String shown(String command, int width, ByteArrayOutputStream both) throws IOException {
    try (var control = new FakeControlPlane()) {
      control.announce(home);
      ScreenScene.put(control);
      control.explanations.add(
          command.endsWith("train") ? ScreenScene.train() : ScreenScene.huge());
      control.pages.add(command.contains("sweep") ? SceneTasks.sweep() : SceneTasks.files());
      var out = new ByteArrayOutputStream();
      var screen =
          new Screen(
              new PrintStream(new Twice(out, both), true, UTF_8),
              new PrintStream(both, true, UTF_8),
              true,
              false,
              width,
              new ProgramName("mayfly", Set.of()),
              () -> ZoneId.of("Europe/Berlin"));
      var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
      var context =
          new CliContext(
              Map.of("MAYFLY_HOME", home.toString()), screen, conditionPoller, () -> "id");
      assertThat(Main.run(context, command.split(" "))).as(both.toString(UTF_8)).isZero();
      return out.toString(UTF_8);
    }
  }

  /** Writes to both. */
  private static final class Twice extends OutputStream {
    private final OutputStream one;
    private final OutputStream other;

    Twice(OutputStream one, OutputStream other) {
      this.one = one;
      this.other = other;
    }

    @Override
    public void write(int b) throws IOException {
      one.write(b);
      other.write(b);
    }
  }
}
