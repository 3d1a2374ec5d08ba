package dev.mayfly.arch.docs;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A decision is found by its number: each has one of its own, and pages name it. */
class DecisionRecordsTest {
  private static final Path FOLDER = Sources.ROOT.resolve("docs/decisions");
  private static final Pattern LINK =
      Pattern.compile("\\[[Dd]ecision (\\d+)\\]\\([^)]*?0*(\\d+)-[^)/]*\\.md[^)]*\\)");

  private static List<Path> records() throws IOException {
    try (var files = Files.list(FOLDER)) {
      return files.filter(it -> it.getFileName().toString().matches("\\d{4}-.*\\.md")).toList();
    }
  }

  private static int number(Path record) {
    return Integer.parseInt(record.getFileName().toString().substring(0, 4));
  }

  @Test
  void eachNumberIsOfOneDecision() throws IOException {
    assertThat(records()).isNotEmpty();
    assertThat(records().stream().collect(groupingBy(DecisionRecordsTest::number)).values())
        .allSatisfy(same -> assertThat(same).hasSize(1));
  }

  @Test
  void titleHasNumberOfItsFile() throws IOException {
    for (var record : records())
      assertThat(Files.readString(record)).as(record.toString()).startsWith("# " + number(record));
  }

  @Test
  void indexNamesEachOnceWithItsTitle() throws IOException {
    var titles = new ArrayList<String>();
    for (var record : records())
      titles.add(
          Files.readAllLines(record)
              .getFirst()
              .replaceFirst(
                  "# (\\d+)\\. ",
                  "- [$1](" + Matcher.quoteReplacement(record.getFileName().toString()) + ") "));

    assertThat(Files.readAllLines(FOLDER.resolve("README.md")))
        .filteredOn(line -> line.startsWith("- "))
        .containsExactlyInAnyOrderElementsOf(titles);
  }

  @Test
  void linksNameNumberOfTheirDecision() throws IOException {
    try (Stream<Path> files = Files.walk(Sources.ROOT.resolve("docs"))) {
      for (var page : files.filter(it -> it.toString().endsWith(".md")).toList())
        assertThat(LINK.matcher(Files.readString(page)).results())
            .as(page.toString())
            .allSatisfy(link -> assertThat(link.group(1)).isEqualTo(link.group(2)));
    }
  }
}
