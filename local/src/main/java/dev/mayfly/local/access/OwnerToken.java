package dev.mayfly.local.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.local.os.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What the owner of a laptop cloud shows to it: a random word in {@code $MAYFLY_HOME/cloud/token},
 * which only the owner may read. It is made once and kept, so that machines that live on keep
 * theirs, which are made from it.
 *
 * @param text without line breaks, as it is sent behind {@code Bearer}
 */
public record OwnerToken(String text) {
  private static final int BYTES = 32;

  public OwnerToken {
    if (!text.matches("[-_A-Za-z0-9]{20,200}"))
      throw new IllegalArgumentException(
          "this is no token; delete its file, and a new one is made");
  }

  private static Path folder(Path home) {
    return home.resolve("cloud");
  }

  public static Path file(Path home) {
    return folder(home).resolve("token");
  }

  /**
   * The one that is kept under the home, or a new one. Beside it is {@code curl}, by which {@code
   * curl -K} sends it: in an argument every user of the machine could read it.
   */
  public static OwnerToken loadOrCreate(Path home) throws IOException {
    var file = file(home);
    PrivateFolder.ensure(folder(home));
    if (!Files.exists(file)) write(file, random().text());
    var made = read(home);
    write(
        file.resolveSibling("curl"),
        "header = \"Authorization: Bearer %s\"\n".formatted(made.text()));
    return made;
  }

  private static void write(Path file, String text) throws IOException {
    var owner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var fresh = Files.createTempFile(file.getParent(), "token", ".new", owner);
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The one that is kept under the home. */
  public static OwnerToken read(Path home) throws IOException {
    return new OwnerToken(Files.readString(file(home)).strip());
  }

  /** One that nobody has. */
  public static OwnerToken random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new OwnerToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  public boolean matches(String bearer) {
    return MessageDigest.isEqual(text.getBytes(US_ASCII), bearer.getBytes(US_ASCII));
  }

  /**
   * What a machine and its tasks show. It opens what a machine needs, which is objects and secrets,
   * and nothing else.
   *
   * @param machine its number
   */
  public String machineToken(String machine) {
    return machine + "." + seal(machine);
  }

  public boolean matchesMachine(String bearer) {
    var dot = bearer.lastIndexOf('.');
    if (dot <= 0) return false;
    return MessageDigest.isEqual(
        machineToken(bearer.substring(0, dot)).getBytes(US_ASCII), bearer.getBytes(US_ASCII));
  }

  private String seal(String machine) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(text.getBytes(US_ASCII), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(machine.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** It is for nobody's log. */
  @Override
  public String toString() {
    return "a token";
  }
}
