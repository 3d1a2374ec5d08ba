package dev.mayfly.functions.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.InvalidInputException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs a webhook's body by the scheme of Standard Webhooks: the receiver compares HMAC-SHA256 of
 * {@code ID.TIMESTAMP.BODY}, and refuses a timestamp that is too old.
 */
final class WebhookSignature {
  private static final String HMAC = "HmacSHA256";
  private static final String PREFIX = "whsec_";

  private final SecretKeySpec key;

  /**
   * @param secret {@code whsec_} and base64, or plain text. Throws {@link InvalidInputException},
   *     whose message does not contain it
   */
  @SuppressWarnings("UnusedException") // The cause could reveal the secret.
  WebhookSignature(String secret) {
    try {
      var text = secret.strip();
      var bytes =
          text.startsWith(PREFIX)
              ? Base64.getDecoder().decode(text.substring(PREFIX.length()))
              : text.getBytes(UTF_8);
      key = new SecretKeySpec(bytes, HMAC);
    } catch (IllegalArgumentException notBase64) {
      throw new InvalidInputException(
          "the webhook's secret",
          "its value is empty, or not base64 after whsec_; add a version with a right one");
    }
  }

  /** The headers of one call. */
  Map<String, String> headers(String id, Instant at, byte[] body) {
    var seconds = Long.toString(at.getEpochSecond());
    return Map.of(
        "webhook-id", id,
        "webhook-timestamp", seconds,
        "webhook-signature", "v1," + signed(id + "." + seconds + ".", body));
  }

  private String signed(String before, byte[] body) {
    try {
      var mac = Mac.getInstance(HMAC);
      mac.init(key);
      mac.update(before.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }
}
