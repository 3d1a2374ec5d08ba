package dev.mayfly.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectNamesTest {
  private static final List<String> NAMES =
      List.of("", "a", "a b", "a/b", "ab", "é", "ﬀ", "\uFFFD", "🦟", "🦟1", "🦠", "x🦟", "x🦠");

  @Test
  void orderIsThatOfUtf8Bytes() {
    Comparator<String> bytes =
        (a, b) ->
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    for (var a : NAMES)
      for (var b : NAMES)
        assertThat(Integer.signum(ObjectNames.ORDER.compare(a, b)))
            .as("%s and %s", a, b)
            .isEqualTo(Integer.signum(bytes.compare(a, b)));
  }

  @Test
  void commonPrefixHasWholeCharactersOnly() {
    assertThat(ObjectNames.commonPrefix("x🦟1", "x🦠1")).isEqualTo("x");
    assertThat(ObjectNames.commonPrefix("x🦟1", "x🦟2")).isEqualTo("x🦟");
    assertThat(ObjectNames.commonPrefix("a", "b")).isEmpty();
    assertThat(ObjectNames.truncate("x🦟1", 2)).isEqualTo("x");
    assertThat(ObjectNames.truncate("x🦟1", 3)).isEqualTo("x🦟");
  }

  @Test
  void printableNameIsOneLineWithoutCommands() {
    assertThat(ObjectNames.printable("a\tb\n\u001b[2J\u009b\ud83e"))
        .isEqualTo("a\\u0009b\\u000a\\u001b[2J\\u009b\\ud83e");
    assertThat(ObjectNames.printable("Zürich 🦟")).isEqualTo("Zürich 🦟");
  }

  @Test
  void urlRefusesHalfACharacter() {
    assertThatThrownBy(() -> ObjectUrl.of("gs://lab/x\ud83e"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\\ud83e");
    assertThat(ObjectUrl.ifUsable("gs://lab", "a/../b")).isEmpty();
    assertThat(ObjectUrl.ifUsable("gs://lab", "a/b")).contains(ObjectUrl.of("gs://lab/a/b"));
  }
}
