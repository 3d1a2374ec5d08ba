package dev.mayfly.wire.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a server answers to a client's random nonce: a hash that only those who know the token can
 * make, of the nonce and of the address that the server listens on. Another server that passes the
 * question on gets the answer for the wrong address, and the answer says nothing of the token.
 *
 * <p>The Python client has the same rules.
 */
public final class ServerProof {
  /** Answers {@code ?nonce=N&holder=H} with {@code {"proofs": ["…"]}}, without credentials. */
  public static final String PATH = "/_mayfly/proof";

  /** Begins every token of a laptop cloud, and none of Google's. */
  public static final String TOKEN_PREFIX = "mayfly-";

  private static final String KEY = "mayfly server proof";
  private static final Pattern NONCE = Pattern.compile("[A-Za-z0-9_-]{20,64}");
  private static final Pattern PERSON = Pattern.compile("(?:viewer|submitter|admin)-(.+)");
  private static final Pattern HOLDER = Pattern.compile("[A-Za-z0-9_-]{0,100}");
  private static final int BLOCK = 64;
  private static final byte INNER = 0x36;
  private static final byte OUTER = 0x5c;

  private ServerProof() {}

  /** Whether a laptop cloud made the token, so that its servers can prove themselves. */
  public static boolean isLaptopToken(String token) {
    return token.startsWith(TOKEN_PREFIX);
  }

  /**
   * The holder's name in a token that a cloud derived from its owner's; empty in the owner's own.
   */
  public static String holder(String token) {
    return token.substring(
        TOKEN_PREFIX.length(), Math.max(TOKEN_PREFIX.length(), token.lastIndexOf('.')));
  }

  /** The person whom a laptop cloud's owner gave the token; empty for another token. */
  public static Optional<String> person(String token) {
    var holder = isLaptopToken(token) ? PERSON.matcher(holder(token)) : PERSON.matcher("");
    return holder.matches() ? Optional.of(holder.group(1)) : Optional.empty();
  }

  /** Whether a server should answer the question. */
  public static boolean isQuestion(String nonce, String holder) {
    return NONCE.matcher(nonce).matches() && HOLDER.matcher(holder).matches();
  }

  /**
   * The proof, in hex.
   *
   * @param address {@code IP:port} that the server listens on
   */
  public static String of(String token, String address, String nonce) {
    var key = hmac(token.getBytes(UTF_8), KEY.getBytes(UTF_8));
    return HexFormat.of().formatHex(hmac(key, (address + "\n" + nonce).getBytes(UTF_8)));
  }

  /**
   * HMAC-SHA256 as in RFC 2104. {@code javax.crypto} has it too, but its classes take as long to
   * load as a short command runs.
   */
  static byte[] hmac(byte[] key, byte[] text) {
    var sha = sha256();
    var padded = Arrays.copyOf(key.length > BLOCK ? sha.digest(key) : key, BLOCK);
    sha.update(mixed(padded, INNER));
    var inner = sha.digest(text);
    sha.update(mixed(padded, OUTER));
    return sha.digest(inner);
  }

  private static byte[] mixed(byte[] key, byte with) {
    var mixed = key.clone();
    for (var i = 0; i < mixed.length; i++) mixed[i] ^= with;
    return mixed;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
