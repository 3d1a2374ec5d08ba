package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskTemplateTest {
  private static final Map<String, String> VALUES = Map.of("input", "gs://b/$1\\x", "index", "7");

  @Test
  void aWordInBracesBecomesItsValue() {
    assertThat(TaskTemplate.fill("{input}-{index}", VALUES)).isEqualTo("gs://b/$1\\x-7");
  }

  @Test
  void otherBracesAreKept() {
    for (var text :
        new String[] {"awk '{print $1}'", "{\"a\":{\"b\":{}}}", "{{}}", "{other}", "}}"})
      assertThat(TaskTemplate.fill(text, VALUES)).isEqualTo(text);
  }

  @Test
  void doubleBracesAreLiteral() {
    assertThat(TaskTemplate.fill("{{index}} {\"n\":{\"i\":{index}}}", VALUES))
        .isEqualTo("{index} {\"n\":{\"i\":7}}");
    assertThat(TaskTemplate.placeholders("{{index}} {stem}")).containsExactly("stem");
  }

  @Test
  void stemDropsFolderAndExtension() {
    assertThat(TaskTemplate.stem("gs://b/in/a.jsonl.gz")).isEqualTo("a");
    assertThat(TaskTemplate.stem("gs://b/in/.hidden")).isEqualTo(".hidden");
    assertThat(TaskTemplate.stem("gs://b/in/a.b.txt")).isEqualTo("a.b");
  }
}
