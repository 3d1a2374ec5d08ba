package dev.mayfly.agent.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SecretRedactorTest {
  @Test
  void valuesAndTheirLinesAreRedacted() {
    var secrets = SecretRedactor.of(List.of("hunter2-abc", "-----BEGIN\nMIIEpAIB\n-----END"));

    assertThat(secrets.redact("login hunter2-abc failed at MIIEpAIB, hunter2-abc!"))
        .isEqualTo("login [secret] failed at [secret], [secret]!");
    assertThat(secrets.toString()).doesNotContain("hunter2");
  }

  @Test
  void longerValueIsRedactedFirst() {
    assertThat(SecretRedactor.of(List.of("abcd", "abcdef")).redact("x abcdef abcd"))
        .isEqualTo("x [secret] [secret]");
  }
}
