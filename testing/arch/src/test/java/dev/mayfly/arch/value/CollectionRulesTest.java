package dev.mayfly.arch.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code Set.of}, {@code Map.of} and a {@code toMap} of two arguments throw for equal values: a
 * path such as {@code src/src/a.txt} became a bug in Mayfly. They are for constants.
 */
class CollectionRulesTest {
  private static final Pattern SET = Pattern.compile("\\bSet\\.of\\(");
  private static final Pattern MAP = Pattern.compile("\\bMap\\.of\\(");
  private static final Pattern ENTRIES = Pattern.compile("\\bMap\\.ofEntries\\(");
  private static final Pattern TO_MAP = Pattern.compile("\\bto(?:Unmodifiable)?Map\\(");

  /** A literal, a class, or a name in capitals, which is a constant. */
  private static final Pattern CONSTANT =
      Pattern.compile(
          "-?[0-9][0-9_L]*|(?:[\\w.]*\\.)?[A-Z][A-Z0-9_]*|[\\w.]+\\.class|(?:[\\w.]+ \\+ )?\"x\"(?:.*\"x\")?",
          Pattern.DOTALL);

  @Test
  void setsAndMapsOfWrittenValuesAllowEqualOnes() throws IOException {
    var wrong =
        Sources.all().stream()
            .filter(it -> it.path().toString().contains("src/main"))
            .flatMap(it -> wrong(it.text()).map(line -> it.path() + ":" + line))
            .toList();

    assertThat(wrong)
        .as("collect values into a HashSet or LinkedHashMap, and give toMap a merge function")
        .isEmpty();
  }

  @Test
  void theRuleFindsThem() {
    assertThat(wrong("Set.of(file.split(\"/\"))")).hasSize(1);
    assertThat(wrong("Set.of(a, \"b\")")).hasSize(1);
    assertThat(wrong("Map.of(\"a\", 1,\n key, f(2, 3))")).hasSize(1);
    assertThat(wrong("x.collect(toMap(f -> f.a(b, c), f -> f))")).hasSize(1);
    assertThat(wrong("/* \n */\n\"\"\"\n Set.of(a, b)\"\"\";\nSet.of(a, b)")).containsExactly(5);
    assertThat(wrong("Map.ofEntries(all.toArray(x))")).hasSize(1);
    assertThat(
            wrong("Set.of(A, Kind.B, \"c\" /* , d */); Map.of(\"a\", x, \"b\", x); Map.of(k, v)"))
        .isEmpty();
    assertThat(wrong("Set.of(one); Set.of(); toMap(a, b, (x, y) -> x)")).isEmpty();
  }

  private static Stream<Integer> wrong(String text) {
    return Stream.of(
            CallArguments.of(text, SET).filter(it -> !areConstant(it.arguments(), 1)),
            CallArguments.of(text, MAP).filter(it -> !areConstant(it.arguments(), 2)),
            CallArguments.of(text, ENTRIES)
                .filter(it -> it.arguments().getFirst().contains("toArray")),
            CallArguments.of(text, TO_MAP).filter(it -> it.arguments().size() == 2))
        .flatMap(it -> it)
        .map(CallArguments::line);
  }

  /** One value equals no other, unless it is an array of several. */
  private static boolean areConstant(List<String> arguments, int step) {
    if (arguments.size() <= step)
      return arguments.stream().noneMatch(it -> it.matches("(?s).*\\b(split|toArray)\\(.*"));
    return IntStream.range(0, arguments.size() / step)
        .mapToObj(at -> arguments.get(at * step))
        .allMatch(it -> CONSTANT.matcher(it).matches());
  }
}
