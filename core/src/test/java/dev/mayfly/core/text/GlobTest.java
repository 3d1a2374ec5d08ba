package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
    "*, x, true",
    "*, a/x, false",
    "**, a/b/x, true",
    "***, a/b/x, true",
    "**/x, a/b/x, true",
    "**/x, x, true",
    "**/x, ax, false",
    "**/x, a/bx, false",
    "a/**/x, a/x, true",
    "a/**/x, a/b/c/x, true",
    "a/**/x, a/bx, false",
    "a/**/x, ax, false",
    "a/**/*.gz, a/x.gz, true",
    "a/**/*.gz, a/b/x.gz, true",
    "a/**/b/**/c, a/b/c, true",
    "a/**/b/**/c, a/q/b/r/s/c, true",
    "a/**/b/**/c, a/q/r/c, false",
    "a**/x, a/x, true",
    "a**/x, ax, false",
    "a*b*c, aXbYc, true",
    "a*b*c, abbbc, true",
    "a*b*c, aXc, false",
    "*a**b, xa/y/b, true",
    "*a**b, x/a/y/b, false",
    "**a*b, q/xa-yb, true",
    "**a*b, q/xa/yb, false",
    "a/?, a/😀, true",
    "a/[😀-😂], a/😁, true",
    "a/[a^-], a/^, true",
    "a/[a^-], a/-, true",
    "a/[-b], a/-, true",
    "a/[^a], a/b, true",
    "a/[&[\\], a/\\, true",
    "a/[&[], a/[, true",
    "a/x, a/x, true",
    "a/x, a/xy, false",
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

  @Test
  void oddRangesAreRefused() {
    assertThatThrownBy(() -> Glob.of("a/[]")).hasMessageContaining("empty []");
    assertThatThrownBy(() -> Glob.of("a/[!]")).hasMessageContaining("empty []");
    assertThatThrownBy(() -> Glob.of("a/[z-a]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ends before it begins");
  }

  /** A backtracking matcher would practically never end. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void matchingNeverBacktracks() {
    var name = "a".repeat(1_000) + "c";

    for (var star : new String[] {"*", "**", "*[a-z]", "**?"})
      assertThat(Glob.of((star + "a").repeat(200) + "b").matches(name)).as(star).isFalse();
    assertThat(Glob.of("*a".repeat(200) + "*c").matches(name)).isTrue();
  }
}
