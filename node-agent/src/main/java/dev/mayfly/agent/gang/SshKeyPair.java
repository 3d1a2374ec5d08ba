package dev.mayfly.agent.gang;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.util.Arrays;
import java.util.Base64;

/**
 * A new Ed25519 key pair as OpenSSH keeps it, so that a machine needs no {@code ssh-keygen}. It is
 * a host's identity as a client and as a server.
 *
 * @param publicKey the type and the key in Base64, as in {@code authorized_keys}
 * @param privateKey the content of the private key's file, without a passphrase
 */
record SshKeyPair(String publicKey, String privateKey) {
  private static final String TYPE = "ssh-ed25519";
  private static final int KEY = 32;

  /** OpenSSH pads the private part to this size, for ciphers; there is none here. */
  private static final int BLOCK = 8;

  /** Another pair at each call. */
  static SshKeyPair generate() {
    try {
      var generator = KeyPairGenerator.getInstance("Ed25519");
      var pair = generator.generateKeyPair();
      var secret = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
      // The encoded form ends with the 32 bytes of the key.
      var encoded = pair.getPublic().getEncoded();
      var open = Arrays.copyOfRange(encoded, encoded.length - KEY, encoded.length);
      return of(open, secret, new SecureRandom().nextInt());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has Ed25519", e);
    }
  }

  private static SshKeyPair of(byte[] open, byte[] secret, int check) {
    var publicBlob = join(string(TYPE), string(open));
    // The same number twice tells a reader that the passphrase, here none, was right.
    var hidden =
        join(
            number(check),
            number(check),
            publicBlob,
            string(join(secret, open)),
            string("mayfly gang"));
    var file =
        join(
            "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII),
            string("none"),
            string("none"),
            string(""),
            number(1),
            string(publicBlob),
            string(join(hidden, padding(hidden.length))));
    var text = Base64.getMimeEncoder(70, new byte[] {'\n'}).encodeToString(file);
    return new SshKeyPair(
        TYPE + " " + Base64.getEncoder().encodeToString(publicBlob),
        "-----BEGIN OPENSSH PRIVATE KEY-----\n" + text + "\n-----END OPENSSH PRIVATE KEY-----\n");
  }

  /** 1, 2, 3 and so on, up to a whole block. */
  private static byte[] padding(int length) {
    var bytes = new byte[Math.floorMod(-length, BLOCK)];
    for (var i = 0; i < bytes.length; i++) bytes[i] = (byte) (i + 1);
    return bytes;
  }

  private static byte[] string(String text) {
    return string(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] string(byte[] bytes) {
    return join(number(bytes.length), bytes);
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
  }

  private static byte[] join(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) all.writeBytes(part);
    return all.toByteArray();
  }

  /** Without the private key. */
  @Override
  public String toString() {
    return "SshKeyPair[" + publicKey + "]";
  }
}
