package dev.mayfly.local.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.local.os.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a laptop cloud's owner: a random word in {@code $MAYFLY_HOME/cloud/token},
 * readable by the owner only. It is created once and kept, so that the machine tokens derived from
 * it stay valid.
 *
 * @param text the token without line breaks, as sent after {@code Bearer}
 */
public record OwnerToken(String text) {
  private static final String BEARER = "Bearer ";
  private static final int BYTES = 32;

  /** Machines' names are numbers, so these are none. */
  private static final String PERSON = "person";

  private static final String TASK = "task-";

  public OwnerToken {
    if (!text.matches("[-_A-Za-z0-9]{20,200}"))
      throw new IllegalArgumentException("invalid token; delete its file to create a new token");
  }

  private static Path folder(Path home) {
    return home.resolve("cloud");
  }

  public static Path file(Path home) {
    return folder(home).resolve("token");
  }

  /**
   * Reads the token under the home folder, or creates it. Also writes the file {@code person} with
   * the token that the command line and the Python client show to buckets, and the file {@code
   * curl} for {@code curl -K}, because every user of the machine could read an argument.
   */
  public static OwnerToken loadOrCreate(Path home) throws IOException {
    var file = file(home);
    PrivateFolder.ensure(folder(home));
    if (!Files.exists(file)) PrivateFolder.write(file, random().text().getBytes(US_ASCII));
    var made = read(home);
    var person = made.personToken().getBytes(US_ASCII);
    PrivateFolder.write(file.resolveSibling("person"), person);
    var header = "header = \"Authorization: Bearer %s\"\n".formatted(made.text());
    PrivateFolder.write(file.resolveSibling("curl"), header.getBytes(US_ASCII));
    return made;
  }

  /** Reads the token under the home folder. */
  public static OwnerToken read(Path home) throws IOException {
    return new OwnerToken(Files.readString(file(home)).strip());
  }

  /** A new random token. */
  public static OwnerToken random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new OwnerToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The token in an {@code Authorization} header; empty if it has none. */
  public static String bearer(@Nullable String header) {
    return header != null && header.startsWith(BEARER)
        ? header.substring(BEARER.length()).strip()
        : "";
  }

  public boolean matches(String bearer) {
    return MessageDigest.isEqual(text.getBytes(US_ASCII), bearer.getBytes(US_ASCII));
  }

  /**
   * The token of a machine and its tasks. It gives access to objects and secrets only.
   *
   * @param machine the machine's number
   */
  public String machineToken(String machine) {
    return derived(machine);
  }

  private String derived(String holder) {
    return holder + "." + seal(holder);
  }

  public boolean matchesMachine(String bearer) {
    return holder(bearer).equals(Optional.of(TokenHolder.MACHINE));
  }

  /** A person's token, which gives access to objects with the rights of those who submit jobs. */
  public String personToken() {
    return derived(PERSON);
  }

  /**
   * The token of tasks of a machine that may submit jobs.
   *
   * @param machine the machine's number
   */
  public String taskToken(String machine) {
    return derived(TASK + machine);
  }

  /** Whose token it is; empty if it is none of this cloud. */
  public Optional<TokenHolder> holder(String bearer) {
    if (matches(bearer)) return Optional.of(TokenHolder.OWNER);
    var dot = bearer.lastIndexOf('.');
    if (dot <= 0) return Optional.empty();
    var name = bearer.substring(0, dot);
    if (!MessageDigest.isEqual(derived(name).getBytes(US_ASCII), bearer.getBytes(US_ASCII)))
      return Optional.empty();
    if (name.equals(PERSON)) return Optional.of(TokenHolder.PERSON);
    return Optional.of(name.startsWith(TASK) ? TokenHolder.TASK : TokenHolder.MACHINE);
  }

  /** What the token is derived from: a machine's number, with a word before it for its tasks. */
  public static String machine(String bearer) {
    return bearer.substring(0, Math.max(0, bearer.lastIndexOf('.')));
  }

  private String seal(String holder) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(text.getBytes(US_ASCII), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(holder.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** Hides the token from logs. */
  @Override
  public String toString() {
    return "a token";
  }
}
