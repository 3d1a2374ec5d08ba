package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void controlCharactersAndLineEndsBecomeOneSpace() {
    assertThat(OneLine.of(" none\u001b[31m left\r\n\tin\u202e us-a\u0085", 99))
        .isEqualTo("none [31m left in us-a");
  }

  @Test
  void longTextIsCut() {
    assertThat(OneLine.of("12345", 5)).isEqualTo("12345");
    assertThat(OneLine.of("123456", 5)).isEqualTo("1234…");
  }
}
