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
import java.util.regex.Pattern;
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

  /** Words that people need not know. */
  private static final Pattern MACHINE_ROOM =
      Pattern.compile("(?i)\\b(leases?|leased|shards?|reconcil\\w*|veto\\w*|null)\\b");

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

  /** Cause and evidence, what helps, when it is done or why nobody knows, and what it costs. */
  @Test
  void everySituationIsToldInFull() throws IOException {
    for (var scene : RecordedScene.all()) {
      var lines = explained(scene).lines().toList();
      var text = String.join(" ", lines).replaceAll(" +", " ");
      var ended = scene.answer("/jobs/train").contains("\"endedAt\":");

      assertThat(text)
          .as(scene.name())
          .contains(fact(scene, "evidence"), fact(scene, "remedy"), " cost: ");
      // An ended job has no end to come: its first line says when it ended.
      assertThat(text.contains(" end: ")).as(scene.name()).isEqualTo(!ended);
      if (ended) assertThat(lines.getFirst()).as(scene.name()).matches(".* ago after .*");
      assertThat(text).as(scene.name()).doesNotContainPattern(MACHINE_ROOM);
    }
  }

  private static String fact(RecordedScene scene, String about) {
    assertThat(scene.fact(about)).as("%s of %s", about, scene.name()).isNotBlank();
    return scene.fact(about);
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
