package dev.mayfly.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportSecretsTest {
  private final ReportSecrets secrets = new ReportSecrets();

  private void isLeftOut(String secret, String text) {
    assertThat(secrets.without(text)).doesNotContain(secret).contains("(left out)");
  }

  @Test
  void valuesOfTheEnvironmentAreLeftOut() {
    secrets.addEnvironment(Map.of("WANDB", "abcdef0123", "DEPTH", "3", "QUOTED", "a\"bcdefg"));

    assertThat(secrets.without("{\"env\":{\"WANDB\":\"abcdef0123\",\"DEPTH\":\"3\"},\"tasks\":3}"))
        .isEqualTo("{\"env\":{\"WANDB\":\"(left out)\",\"DEPTH\":\"(left out)\"},\"tasks\":3}");
    assertThat(secrets.without("logged in with abcdef0123 for step 3"))
        .isEqualTo("logged in with (left out) for step 3");
    assertThat(secrets.without("{\"why\":\"a\\\"bcdefg\"} a\"bcdefg"))
        .isEqualTo("{\"why\":\"(left out)\"} (left out)");
    assertThat(secrets.lines())
        .contains(
            "the value of WANDB in the environment: 2 times",
            "the value of DEPTH in the environment: 1 time");
  }

  @Test
  void tokensAndSignaturesAreLeftOut() {
    isLeftOut("abc%2Fdef", "https://storage.googleapis.com/b/o?X-Goog-Signature=abc%2Fdef&x=1");
    isLeftOut("k1k2k3", "https://hooks.example/x?token=k1k2k3");
    isLeftOut("hunter22", "postgres://ann:hunter22@db/x");
    isLeftOut("ya29.a0Af", "Authorization: Bearer ya29.a0AfB_byC");
    isLeftOut("eyJhbGci", "got eyJhbGciOi.eyJzdWIi.c2ln here");
    isLeftOut("MIIEvQ", "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----");
    isLeftOut("qwertz", "export HF_TOKEN=qwertz");
    assertThat(secrets.lines()).anyMatch(line -> line.startsWith("a signature or token in a URL"));
  }

  @Test
  void otherTextsStay() {
    var text = "gs://lab/out/3?generation=7 key=4 step: 3, loss 0.1; Basic training\n";

    assertThat(secrets.without(text)).isEqualTo(text);
    assertThat(secrets.lines()).isEmpty();
  }
}
