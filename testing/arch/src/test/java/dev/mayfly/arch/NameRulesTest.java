package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources.Source;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules that make things easy to find: small packages, unique names, readable names. */
class NameRulesTest {
  private static final int FILES_OF_A_PACKAGE = 25;
  private static final int WORDS_OF_A_TEST = 9;

  private static final Pattern TEST =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property|FuzzTest)\\b[^;{]*?"
              + "\\b(?:void|Stream<DynamicTest>) (\\w+)\\(");

  /** Words of members that were renamed, with what stands for them now. */
  private static final Map<String, String> OLD_WORDS =
      Map.of(
          "alarms", "executor",
          "bought", "launched",
          "buy", "launch",
          "buyer", "demand",
          "deal", "assign",
          "deals", "assign",
          "letGo", "released",
          "sheet", "jobInfo",
          "tooDear", "overBudget",
          "whys", "reasons");

  private static final Pattern TEXT =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:[^\"\\\\]|\\\\.)*\"|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_]\\w*");

  private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+");

  @Test
  void noPackageHasMoreFilesThanFitAPage() throws IOException {
    var sizes =
        Sources.all().stream()
            .collect(Collectors.groupingBy(Source::folder, Collectors.counting()));

    assertThat(sizes).isNotEmpty();
    assertThat(where(sizes, size -> size > FILES_OF_A_PACKAGE))
        .as("packages of more than %d files", FILES_OF_A_PACKAGE)
        .isEmpty();
  }

  @Test
  void simpleNameMeansOneTypeInItsModule() throws IOException {
    var times =
        Sources.all().stream()
            .filter(it -> !it.isPackageInfo())
            .collect(
                Collectors.groupingBy(it -> it.module() + ": " + it.type(), Collectors.counting()));

    assertThat(where(times, count -> count > 1)).as("names of several types").isEmpty();
  }

  @Test
  void testNamesAreShort() throws IOException {
    var names = Sources.all().stream().flatMap(NameRulesTest::tests).toList();

    assertThat(names).hasSizeGreaterThan(1_000);
    assertThat(names.stream().filter(it -> words(it) > WORDS_OF_A_TEST).toList())
        .as("tests whose names have more than %d words", WORDS_OF_A_TEST)
        .isEmpty();
  }

  @Test
  void membersHaveTheWordsOfTheirTypes() throws IOException {
    var old = Sources.all().stream().flatMap(NameRulesTest::oldWords).toList();

    assertThat(old).isEmpty();
  }

  private static Stream<String> oldWords(Source source) {
    return IDENTIFIER
        .matcher(TEXT.matcher(source.text()).replaceAll(" "))
        .results()
        .map(MatchResult::group)
        .filter(OLD_WORDS::containsKey)
        .distinct()
        .map(it -> "%s: %s is called %s".formatted(source.path(), it, OLD_WORDS.get(it)));
  }

  private static Stream<String> tests(Source source) {
    return TEST.matcher(source.text()).results().map(it -> source.type() + "." + it.group(1));
  }

  private static long words(String test) {
    return WORD.matcher(test.substring(test.indexOf('.') + 1)).results().count();
  }

  private static <K> List<String> where(Map<K, Long> counts, java.util.function.LongPredicate is) {
    var sorted = new TreeMap<String, Long>();
    counts.forEach((key, count) -> sorted.put(key.toString(), count));
    return sorted.entrySet().stream()
        .filter(it -> is.test(it.getValue()))
        .map(it -> it.getKey() + ": " + it.getValue())
        .toList();
  }
}
