package dev.mayfly.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource({
    "a/*.gz, a/x.gz, true",
    "a/*.gz, a/b/x.gz, false",
    "a/**.gz, a/b/x.gz, true",
    "a/?.gz, a/x.gz, true",
    "a/?.gz, a/xy.gz, false",
    "a/[0-3].gz, a/2.gz, true",
    "a/[0-3].gz, a/7.gz, false",
    "a/[!0-3].gz, a/7.gz, true",
    "a/[!0-3].gz, a//.gz, false",
    "a/x+(1).gz, a/x+(1).gz, true",
    "a/*, a/x.COMPLETE, false",
    "a/*, a/, false",
  })
  void matches(String glob, String name, boolean expected) {
    assertThat(Glob.of(glob).matches(name)).isEqualTo(expected);
  }

  @Test
  void thePrefixIsAllThatIsFixed() {
    assertThat(Glob.of("reddit/2024-*/x?.gz").prefix()).isEqualTo("reddit/2024-");
  }

  @Test
  void aRangeThatIsNotClosedIsRefused() {
    assertThatThrownBy(() -> Glob.of("a/[0-")).hasMessageContaining("no ] closes");
  }
}
