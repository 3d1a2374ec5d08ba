package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The page of features has each once, in order, with its evidence or what is missing, and the right
 * counts. That its tests exist is {@link DocumentedTestsTest}'s, its commands the command line's.
 */
class FeatureRowsTest {
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| ([A-Z])(\\d+) \\| [^|]+ \\| \\*\\*(held|partly|absent)\\*\\* \\| ([^|]+) \\| ([^|]+) \\|$",
          Pattern.MULTILINE);

  private static final Pattern EVIDENCE = Pattern.compile("`(\\w+Test\\b|\\.ci/|mayfly )");
  private static final Pattern SCRIPT = Pattern.compile("`(\\.ci/[a-z-]+|testing/[a-z/]+)");

  private static final List<Map.Entry<String, Integer>> PARTS =
      List.of(
          Map.entry("L", 10),
          Map.entry("A", 13),
          Map.entry("P", 12),
          Map.entry("Q", 18),
          Map.entry("D", 15),
          Map.entry("O", 10),
          Map.entry("X", 10),
          Map.entry("F", 8),
          Map.entry("Z", 7));

  @Test
  void everyFeatureIsThereAndCounted() throws IOException {
    var page = page("docs/features.md");
    var rows = ROW.matcher(page).results().toList();
    var expected = new ArrayList<String>();
    for (var part : PARTS)
      for (var row = 1; row <= part.getValue(); row++) expected.add(part.getKey() + row);

    assertThat(rows.stream().map(row -> row.group(1) + row.group(2))).isEqualTo(expected);
    for (var row : rows) {
      if (!row.group(3).equals("held"))
        assertThat(row.group(4).strip()).as(row.group(0)).isNotEqualTo("–");
      if (row.group(3).equals("absent"))
        assertThat(row.group(5).strip()).as(row.group(0)).isEqualTo("–");
      else assertThat(row.group(5)).as(row.group(0)).containsPattern(EVIDENCE);
    }
    var counts =
        Stream.of("held", "partly", "absent")
            .map(word -> rows.stream().filter(r -> r.group(3).equals(word)).count() + " " + word)
            .toList();
    assertThat(page).contains(rows.size() + " features: " + String.join(", ", counts));
  }

  @Test
  void scriptsOfBothPagesExist() throws IOException {
    for (var name : List.of("docs/features.md", "docs/rows.md"))
      assertThat(SCRIPT.matcher(page(name)).results().map(found -> found.group(1)))
          .as(name)
          .isNotEmpty()
          .allSatisfy(script -> assertThat(Sources.ROOT.resolve(script)).exists());
  }

  private static String page(String name) throws IOException {
    return Files.readString(Sources.ROOT.resolve(name));
  }
}
