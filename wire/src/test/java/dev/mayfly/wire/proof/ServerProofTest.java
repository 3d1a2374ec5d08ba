package dev.mayfly.wire.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class ServerProofTest {
  private static final String TOKEN = "mayfly-secret-word";

  @Test
  void proofIsThatOfThePythonClient() {
    assertThat(ServerProof.of(TOKEN, "127.0.0.1:8420", "AAAAAAAAAAAAAAAAAAAAAAAA"))
        .isEqualTo("7dbbb45cc18c6f99ec4d28a3dd7f9332712998c2ed749020e27c7646eb95742c");
  }

  @Test
  void proofIsForOneTokenAddressAndNonce() {
    var proof = ServerProof.of(TOKEN, "127.0.0.1:8420", "one");

    assertThat(proof).isEqualTo(ServerProof.of(TOKEN, "127.0.0.1:8420", "one"));
    assertThat(ServerProof.of(TOKEN, "127.0.0.1:8421", "one")).isNotEqualTo(proof);
    assertThat(ServerProof.of(TOKEN, "127.0.0.1:8420", "two")).isNotEqualTo(proof);
    assertThat(ServerProof.of("mayfly-other", "127.0.0.1:8420", "one")).isNotEqualTo(proof);
  }

  @Test
  void hmacIsThatOfTheJdk() throws Exception {
    var random = new Random(7);
    for (var length : new int[] {1, 20, 63, 64, 65, 131, 300}) {
      var key = new byte[length];
      random.nextBytes(key);
      var text = ("text of " + length).getBytes(UTF_8);
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));

      assertThat(HexFormat.of().formatHex(ServerProof.hmac(key, text)))
          .isEqualTo(HexFormat.of().formatHex(mac.doFinal(text)));
    }
  }

  @Test
  void tokenSaysWhoseItIs() {
    assertThat(ServerProof.holder("mayfly-abc_-1")).isEmpty();
    assertThat(ServerProof.holder("mayfly-task-7.0af")).isEqualTo("task-7");
    assertThat(ServerProof.isLaptopToken("ya29.a0Af")).isFalse();
  }

  @Test
  void onlyPlainWordsAreQuestions() {
    var nonce = "A-_45678901234567890";

    assertThat(ServerProof.isQuestion(nonce, "")).isTrue();
    assertThat(ServerProof.isQuestion(nonce, "task-7")).isTrue();
    for (var bad : new String[] {"", "short", nonce + "\n", nonce + "é", "A".repeat(65)})
      assertThat(ServerProof.isQuestion(bad, "")).as(bad).isFalse();
    for (var bad : new String[] {"a.b", "a\nb", "é", "a".repeat(101)})
      assertThat(ServerProof.isQuestion(nonce, bad)).as(bad).isFalse();
  }
}
