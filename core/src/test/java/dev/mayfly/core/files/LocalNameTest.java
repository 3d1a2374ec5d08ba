package dev.mayfly.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.ObjectNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalNameTest {
  @Test
  void nameThatAFileCanHaveIsKept() {
    var name = "s".repeat(204 - ".fastq.gz".length()) + ".fastq.gz";

    assertThat(LocalName.of(name, "input")).isEqualTo(name);
    assertThat(LocalName.of("é".repeat(127), "input")).isEqualTo("é".repeat(127));
    assertThat(LocalName.of("a\tb", "input")).isEqualTo("a_b");
    assertThat(LocalName.of("..", "input")).isEqualTo("input");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "é", "\ud83e\udd9f"})
  void longNameKeepsBeginningAndExtensionAndIsUnique(String letter) {
    var first = LocalName.of("sample-1-" + letter.repeat(300) + "a.jsonl.gz", "input");
    var second = LocalName.of("sample-1-" + letter.repeat(300) + "b.jsonl.gz", "input");

    assertThat(ObjectNames.bytes(first)).isBetween(250, 255);
    assertThat(first).startsWith("sample-1-" + letter).endsWith(".jsonl.gz").isNotEqualTo(second);
    assertThat(first.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE))
        .isTrue();
  }
}
