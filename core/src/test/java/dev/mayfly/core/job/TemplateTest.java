package dev.mayfly.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final Map<String, String> VALUES = Map.of("input", "gs://b/$1\\x", "index", "7");

  @Test
  void aWordInBracesBecomesItsValue() {
    assertThat(Template.fill("{input}-{index}", VALUES)).isEqualTo("gs://b/$1\\x-7");
  }

  @Test
  void whatIsNoWordStaysAsItIs() {
    for (var text :
        new String[] {"awk '{print $1}'", "{\"a\":{\"b\":{}}}", "{{}}", "{other}", "}}"})
      assertThat(Template.fill(text, VALUES)).isEqualTo(text);
  }

  @Test
  void aWordInTwoBracesIsTextAndNoWord() {
    assertThat(Template.fill("{{index}} {\"n\":{\"i\":{index}}}", VALUES))
        .isEqualTo("{index} {\"n\":{\"i\":7}}");
    assertThat(Template.words("{{index}} {stem}")).containsExactly("stem");
  }

  @Test
  void aStemIsAFilesNameWithoutWhatSaysItsForm() {
    assertThat(Template.stem("gs://b/in/a.jsonl.gz")).isEqualTo("a");
    assertThat(Template.stem("gs://b/in/.hidden")).isEqualTo(".hidden");
    assertThat(Template.stem("gs://b/in/a.b.txt")).isEqualTo("a.b");
  }
}
