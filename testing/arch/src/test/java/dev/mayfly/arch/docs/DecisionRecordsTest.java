package dev.mayfly.arch.docs;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A decision is found by its number: each has one of its own, and pages name it. */
class DecisionRecordsTest {
  private static final Path FOLDER = Sources.ROOT.resolve("docs/decisions");
  private static final Pattern LINK =
      Pattern.compile("\\[[Dd]ecision (\\d+)\\]\\([^)]*?0*(\\d+)-[^)/]*\\.md[^)]*\\)");

  private static final Pattern REPLACED =
      Pattern.compile("^(?:Replaced in part|Replaced) by \\[decision (\\d+)\\]\\(");
  private static final Pattern REPLACES =
      Pattern.compile("(?im)(?:^|this )Replaces (?:a part of )?\\[(?:decision )?0*(\\d+)\\]\\(");

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

  /** Whoever reads only the earlier page learns that it does not hold as it stands. */
  @Test
  void replacementsStandAtTopOfBothPages() throws IOException {
    var replaced = new TreeSet<String>();
    var replacing = new TreeSet<String>();
    for (var record : records()) {
      var number = number(record);
      for (var line : top(record)) {
        REPLACED.matcher(line).results().forEach(it -> replaced.add(it.group(1) + " > " + number));
        REPLACES.matcher(line).results().forEach(it -> replacing.add(number + " > " + it.group(1)));
      }
      assertThat(REPLACES.matcher(below(record)).results())
          .as("what is not at the top of " + record)
          .isEmpty();
    }

    assertThat(replaced).isNotEmpty().isEqualTo(replacing);
    assertThat(replaced).allSatisfy(DecisionRecordsTest::laterIsFirst);
  }

  private static void laterIsFirst(String pair) {
    var numbers = pair.split(" > ");
    assertThat(Integer.parseInt(numbers[0])).as(pair).isGreaterThan(Integer.parseInt(numbers[1]));
  }

  private static List<String> top(Path record) throws IOException {
    return Files.readAllLines(record).stream().takeWhile(line -> !line.startsWith("## ")).toList();
  }

  private static String below(Path record) throws IOException {
    return String.join("\n", Files.readAllLines(record).subList(top(record).size(), size(record)));
  }

  private static int size(Path record) throws IOException {
    return Files.readAllLines(record).size();
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
