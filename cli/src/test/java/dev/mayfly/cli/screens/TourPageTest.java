package dev.mayfly.cli.screens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/tour.md} has what {@code mayfly explain} prints of each situation that {@code
 * TourTest} of the simulation has recorded. After a deliberate change run it with {@code
 * -Dmayfly.docs=write} and read the page: what you do not like to read there, nobody does.
 */
class TourPageTest {
  private static final Path PAGE = Path.of("../docs/tour.md");
  private static final int WIDTH = 80;

  @TempDir Path home;

  @Test
  void pageHasWhatExplainPrints() throws IOException {
    var page =
        new StringBuilder(
            Files.readString(Path.of("src/test/resources/dev/mayfly/cli/screens/tour.txt")));
    var scenes = RecordedScene.all();
    page.append(contents(scenes));
    var part = "";
    for (var scene : scenes) {
      if (!scene.fact("part").equals(part)) page.append("\n## " + scene.fact("part") + "\n");
      part = scene.fact("part");
      page.append("\n### %s\n\n```\n%s```\n".formatted(scene.fact("title"), explained(scene)));
    }
    if ("write".equals(System.getProperty("mayfly.docs"))) Files.writeString(PAGE, page);

    assertThat(Files.readString(PAGE))
        .as(
            "docs/tour.md is stale: ./build -pl cli -am test -Dtest=TourPageTest -Dmayfly.docs=write")
        .isEqualTo(page.toString());
  }

  @Test
  void noLineIsWiderThanTheTerminal() throws IOException {
    for (var scene : RecordedScene.all())
      assertThat(explained(scene).lines())
          .as(scene.name())
          .hasSizeGreaterThan(3)
          .allMatch(line -> line.length() <= WIDTH);
  }

  private static String contents(List<RecordedScene> scenes) {
    var list = new StringBuilder("\n");
    var part = "";
    for (var scene : scenes) {
      if (!scene.fact("part").equals(part)) list.append("- **" + scene.fact("part") + "**\n");
      part = scene.fact("part");
      var title = scene.fact("title");
      list.append("  - [%s](#%s)\n".formatted(title, anchor(title)));
    }
    return list.toString();
  }

  /** As GitHub makes it of a heading. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private String explained(RecordedScene scene) throws IOException {
    var server = scene.serve(home);
    try {
      var out = new ByteArrayOutputStream();
      var context =
          new CliContext(
              Map.of("MAYFLY_HOME", home.toString()),
              TestScreen.plain(out, out, WIDTH),
              new ConditionPoller(scene::now, span -> {}),
              () -> "id");
      assertThat(Main.run(context, "explain", "train"))
          .as("%s: %s", scene.name(), out.toString(UTF_8))
          .isZero();
      return out.toString(UTF_8);
    } finally {
      server.stop(0);
    }
  }
}
