package dev.mayfly.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsInClearTest {
  private static final String VALUE = "hf_abcDEF0123456789";

  @ParameterizedTest
  @CsvSource({
    "WANDB_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "HF_TOKEN",
    "token",
    "DB_PASSWORD",
    "OPENAI_APIKEY",
    "GOOGLE_CREDENTIALS"
  })
  void secretsInClearAreWarnedOf(String name) {
    assertThat(SecretsInClear.of(Map.of(name, VALUE)))
        .singleElement()
        .satisfies(warning -> {
          assertThat(warning.path()).isEqualTo("env." + name);
          assertThat(warning.message()).contains("secrets: {" + name + ": ").doesNotContain(VALUE);
        });
  }

  @ParameterizedTest
  @CsvSource({
    "PAD_TOKEN, <|endoftext|>",
    "MAX_TOKENS, 10000000000000",
    "TOKENIZERS_PARALLELISM, falsefalsefalse",
    "SORT_KEY, created_at_then_name",
    "GOOGLE_CREDENTIALS, /etc/keys/lab-batch.json",
    "HF_TOKEN, {token}",
    "DB_PASSWORD, ''",
    "SECRET, gs://lab/not-a-secret"
  })
  void whatIsNoSecretIsNot(String name, String value) {
    assertThat(SecretsInClear.of(Map.of(name, value))).isEmpty();
  }

  @Test
  void warningsAreInOrder() {
    assertThat(SecretsInClear.of(Map.of("B_TOKEN", VALUE, "A_TOKEN", VALUE)))
        .extracting(w -> w.path())
        .containsExactly("env.A_TOKEN", "env.B_TOKEN");
  }
}
