package dev.mayfly.core.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a cloud answers to an order, as a part of one of our lines. */
class RefusalTest {
  @Test
  void cloudsWordsAreOneBoundedLine() {
    var refusal =
        new Fleet.Refusal(
            Fleet.Refusal.Kind.QUOTA, "OUT\n\u001b[31mOF", "no\r\nroom " + "x".repeat(1_000));

    assertThat(refusal.code()).isEqualTo("OUT [31mOF");
    assertThat(refusal.message()).startsWith("no room xxx").endsWith("x…").hasSize(400);
  }
}
