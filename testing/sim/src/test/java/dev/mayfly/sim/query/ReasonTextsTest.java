package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What users read about jobs that wait, scene by scene, in one file. After a deliberate change of
 * words run it with {@code -Dtest.jvm=-Dgolden=write} and read the difference.
 */
class ReasonTextsTest {
  private static final String FILE = "src/test/resources/dev/mayfly/sim/query/reasons.txt";

  /** Words of a sentence that says what to do itself. */
  private static final Pattern REMEDY =
      Pattern.compile(
          "; (?:raise|ask for|fix|write|add|submit|wait)\\b|look for|mayfly worker join");

  @Test
  void everyWaitSaysWhatHelps() {
    var lines = new ReasonScenes().all();
    for (var i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith("explain ")) continue;
      var told = lines.subList(i + 1, lines.size()).stream().takeWhile(it -> it.startsWith("  "));
      var all = told.toList();

      assertThat(all).as(lines.get(i)).isNotEmpty();
      assertThat(REMEDY.matcher(all.getFirst()).find() || all.getLast().startsWith("  to do: "))
          .as("%s", all)
          .isTrue();
    }
  }

  @Test
  void reasonsAreThoseOfTheFile() throws IOException {
    var text = String.join("\n", new ReasonScenes().all()) + "\n";
    var file = Path.of(FILE);
    if ("write".equals(System.getProperty("golden")))
      Files.writeString(file, text, StandardCharsets.UTF_8);

    assertThat(text).isEqualTo(Files.readString(file));
  }
}
