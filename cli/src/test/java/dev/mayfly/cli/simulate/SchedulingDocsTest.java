package dev.mayfly.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each rule of {@code docs/scheduling.md} is shown by a scenario that is there. */
class SchedulingDocsTest {
  private static final Path PAGE = Path.of("../docs/scheduling.md");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+[.]yaml)\\)");

  @Test
  void eachRuleHasScenario() throws IOException {
    var rules = rules();
    assertThat(rules).hasSizeGreaterThan(20);
    assertThat(rules).allSatisfy(rule -> assertThat(scenarios(rule)).as(rule).isNotEmpty());
  }

  @Test
  void scenariosAreThere() throws IOException {
    assertThat(rules())
        .flatMap(SchedulingDocsTest::scenarios)
        .allSatisfy(link -> assertThat(PAGE.resolveSibling(link)).exists());
  }

  private static List<String> rules() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| rule |"))
        .toList();
  }

  private static List<String> scenarios(String rule) {
    return LINK.matcher(rule).results().map(it -> it.group(1)).toList();
  }
}
