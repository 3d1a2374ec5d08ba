package dev.mayfly.agent.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The format is that of OpenSSH's PROTOCOL.key; {@code examples/alpa/check.sh} asks OpenSSH. */
final class SshKeyPairTest {
  @RepeatedTest(5)
  void filesSecretSignsForThePublicKey() throws IOException, GeneralSecurityException {
    var pair = SshKeyPair.generate();

    var file = ByteBuffer.wrap(decoded(pair.privateKey()));
    file.position("openssh-key-v1\0".length());
    assertThat(text(file)).isEqualTo("none");
    assertThat(text(file)).isEqualTo("none");
    assertThat(text(file)).isEmpty();
    assertThat(file.getInt()).isEqualTo(1);
    var open = bytes(file);
    assertThat(pair.publicKey())
        .isEqualTo("ssh-ed25519 " + Base64.getEncoder().encodeToString(open));
    var hidden = ByteBuffer.wrap(bytes(file));
    assertThat(hidden.remaining() % 8).isZero();
    assertThat(hidden.getInt()).isEqualTo(hidden.getInt());
    assertThat(text(hidden)).isEqualTo("ssh-ed25519");
    var key = bytes(hidden);
    var both = bytes(hidden);
    assertThat(Arrays.copyOfRange(both, 32, 64)).isEqualTo(key);
    assertThat(signs(Arrays.copyOf(both, 32), key)).isTrue();
    assertThat(file.hasRemaining()).isFalse();
  }

  @Test
  void textHasNoPrivateKey() {
    var pair = SshKeyPair.generate();

    assertThat(pair.toString()).contains(pair.publicKey()).doesNotContain("PRIVATE");
  }

  private static boolean signs(byte[] secret, byte[] open) throws GeneralSecurityException {
    var factory = KeyFactory.getInstance("Ed25519");
    var signing = Signature.getInstance("Ed25519");
    signing.initSign(
        factory.generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, secret)));
    signing.update(new byte[] {1, 2, 3});
    var signature = signing.sign();
    var big = open.clone();
    for (var i = 0; i < 16; i++) {
      var last = big[i];
      big[i] = big[31 - i];
      big[31 - i] = last;
    }
    var odd = (big[0] & 0x80) != 0;
    big[0] &= 0x7f;
    var point = new EdECPoint(odd, new BigInteger(1, big));
    signing.initVerify(
        factory.generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point)));
    signing.update(new byte[] {1, 2, 3});
    return signing.verify(signature);
  }

  private static byte[] decoded(String pem) {
    var lines = pem.lines().toList();
    assertThat(lines.getFirst()).isEqualTo("-----BEGIN OPENSSH PRIVATE KEY-----");
    return Base64.getDecoder().decode(String.join("", lines.subList(1, lines.size() - 1)));
  }

  private static String text(ByteBuffer in) {
    return new String(bytes(in), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(ByteBuffer in) {
    var bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }
}
