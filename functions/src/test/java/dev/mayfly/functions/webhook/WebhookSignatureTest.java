package dev.mayfly.functions.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignatureTest {
  /** The example that the receivers' libraries of Standard Webhooks are tested with. */
  @Test
  void matchesTheExampleOfTheScheme() {
    var headers =
        new WebhookSignature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .headers(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                Instant.ofEpochSecond(1_614_265_330),
                "{\"test\": 2432232314}".getBytes(UTF_8));

    assertThat(headers)
        .containsEntry("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
        .containsEntry("webhook-timestamp", "1614265330")
        .containsEntry("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void plainTextAndBase64OfItSignAlike() {
    var at = Instant.ofEpochSecond(1);
    var body = "{}".getBytes(UTF_8);

    assertThat(new WebhookSignature("whsec_b3BlbiBzZXNhbWU=").headers("i", at, body))
        .isEqualTo(new WebhookSignature("open sesame\n").headers("i", at, body));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "whsec_", "whsec_%%hidden%%"})
  void unusableSecretIsNotQuoted(String secret) {
    assertThatThrownBy(() -> new WebhookSignature(secret))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("whsec_")
        .hasMessageNotContaining("hidden");
  }
}
