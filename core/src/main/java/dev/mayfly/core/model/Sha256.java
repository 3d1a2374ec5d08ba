package dev.mayfly.core.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The digest for comparing texts that must not be stored or are too long for that: a machine's
 * nonce, and a uid derived from a submission.
 */
public final class Sha256 {
  private Sha256() {}

  /** The digest of the text in UTF-8, in hex. */
  public static String of(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
