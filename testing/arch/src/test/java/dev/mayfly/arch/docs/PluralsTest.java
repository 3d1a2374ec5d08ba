package dev.mayfly.arch.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One thing is, and two are: {@code HumanAmounts} has both. */
class PluralsTest {
  /** A number of any size before a verb of the plural. */
  private static final Pattern PLURAL =
      Pattern.compile(
          "\"[^\"]*(?<![-\\w])%,?d (?:of (?:them|%,?d) )?(?:[a-z]+s )?(?:are|were|have)\\b");

  /** How far above the literal a distinction of cases may stand. */
  private static final int NEAR = 4;

  private static final Pattern ONE_OF_MANY =
      Pattern.compile(
          "(?<![\\w.,:/-])1 (?:are|were|have|(?:live )?(?:tasks|workers|machines|jobs|hosts|chips|attempts|files|groups))\\b");

  private static final List<String> TEXTS =
      List.of(
          "testing/sim/src/test/resources/dev/mayfly/sim/query/reasons.txt",
          "docs/screens.md",
          "docs/tour.md",
          "docs/first-morning.md");

  @Test
  void numbersOfAnySizeHaveTheirVerb() throws IOException {
    var wrong = new ArrayList<String>();
    for (var source : Sources.all()) {
      if (source.path().toString().contains("src/test/")) continue;
      var lines = source.text().lines().toList();
      for (var i = 0; i < lines.size(); i++)
        if (PLURAL.matcher(lines.get(i)).find()
            && lines.subList(Math.max(0, i - NEAR), i + 1).stream().noneMatch(PluralsTest::cases))
          wrong.add(source.path() + ":" + (i + 1) + ": " + lines.get(i).strip());
    }

    assertThat(wrong).as("say 1 is and 2 are: HumanAmounts.are, count or partAre").isEmpty();
  }

  private static boolean cases(String line) {
    // A limit is a constant, and never one.
    return line.contains("== 1")
        || line.contains("> 1")
        || line.contains("at most %")
        || line.contains("first %,d tasks");
  }

  @Test
  void textsOfScenesHaveNoPluralOfOne() throws IOException {
    for (var text : TEXTS)
      assertThat(Files.readString(Sources.ROOT.resolve(text)).lines())
          .as(text)
          .noneMatch(line -> ONE_OF_MANY.matcher(line).find());
  }
}
