package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of rows has each row once, in order, with its evidence, and the right counts. */
class MissionRowsTest {
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| ([0-4])-(\\d+) \\| [^|]+ \\| \\*\\*(held|partly|Google|money|page)\\*\\* \\| ([^|]+) \\| ([^|]+) \\| [^|]+ \\|$",
          Pattern.MULTILINE);

  private static final List<Integer> ROWS = List.of(24, 26, 13, 15, 15);

  @Test
  void everyRowIsThereAndCounted() throws IOException {
    var page = Files.readString(Sources.ROOT.resolve("docs/rows.md"));
    var rows = ROW.matcher(page).results().toList();
    var next = 0;
    for (var part = 0; part < ROWS.size(); part++)
      for (var row = 1; row <= ROWS.get(part); row++)
        assertThat(rows.get(next++).group(0)).startsWith("| " + part + "-" + row + " |");
    assertThat(rows).hasSize(next);

    for (var row : rows) {
      if (!row.group(3).equals("held"))
        assertThat(row.group(4).strip()).as(row.group(0)).isNotEqualTo("–");
      assertThat(row.group(5)).as(row.group(0)).contains("`");
    }
    var counts =
        List.of("held", "partly", "Google", "money", "page").stream()
            .map(word -> rows.stream().filter(r -> r.group(3).equals(word)).count() + " " + word)
            .toList();
    assertThat(page).contains(String.join(", ", counts));
  }

  /** What only a project can show has a line that says how. */
  @Test
  void rowsThatWaitForProjectHaveCommands() throws IOException {
    var page = Files.readString(Sources.ROOT.resolve("docs/rows.md"));
    var assumptions = Files.readString(Sources.ROOT.resolve("docs/assumptions.md"));
    var section = assumptions.split("## Rows that wait for a project\n", 2)[1].split("\n## ", 2)[0];
    var waiting =
        ROW.matcher(page)
            .results()
            .filter(row -> row.group(3).equals("Google"))
            .map(row -> row.group(1) + "-" + row.group(2))
            .toList();
    var told =
        section
            .lines()
            .filter(line -> line.matches("\\| \\d.*`.*"))
            .flatMap(line -> Stream.of(line.split("\\|")[1].strip().split(", ")))
            .toList();

    assertThat(told).containsExactlyInAnyOrderElementsOf(waiting);
  }
}
