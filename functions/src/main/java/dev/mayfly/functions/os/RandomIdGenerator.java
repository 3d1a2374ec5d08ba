package dev.mayfly.functions.os;

import dev.mayfly.core.port.IdGenerator;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Names and secrets from the operating system's random source. */
final class RandomIdGenerator implements IdGenerator {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

  private final SecureRandom random = new SecureRandom();

  @Override
  public String next(int length) {
    var text = new StringBuilder(length);
    for (var i = 0; i < length; i++)
      text.append(ALPHABET.charAt(random.nextInt(i == 0 ? 26 : ALPHABET.length())));
    return text.toString();
  }

  @Override
  public String secret() {
    var bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
