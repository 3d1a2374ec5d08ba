package dev.mayfly.local.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.local.os.PrivateFolder;
import dev.mayfly.wire.proof.ServerProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a laptop cloud's owner: a random word in {@code $MAYFLY_HOME/cloud/token},
 * readable by the owner only. Each {@code mayfly local} makes a new one, so that one that leaked is
 * of no use after the next start. The machine tokens that were derived from the one before stay
 * valid, because machines may outlive their cloud.
 *
 * @param text the token without line breaks, as sent after {@code Bearer}
 * @param before the owner's token before this one
 */
public record OwnerToken(String text, Optional<String> before) {
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

  private static Path fileBefore(Path home) {
    return folder(home).resolve("token.before");
  }

  /**
   * Reads the token under the home folder, or creates it. Also writes the file {@code person} with
   * the token that the command line and the Python client show to buckets, and the file {@code
   * curl} for {@code curl -K}, because every user of the machine could read an argument.
   */
  public static OwnerToken loadOrCreate(Path home) throws IOException {
    PrivateFolder.ensure(folder(home));
    if (!Files.exists(file(home))) write(home, random());
    var there = read(home);
    if (!ServerProof.isLaptopToken(there.text())) return renew(home);
    return there;
  }

  /** Makes a new token, and remembers the one before. Call it while no cloud of this home runs. */
  public static OwnerToken renew(Path home) throws IOException {
    PrivateFolder.ensure(folder(home));
    if (Files.exists(file(home)))
      PrivateFolder.write(fileBefore(home), Files.readAllBytes(file(home)));
    write(home, random());
    return read(home);
  }

  private static void write(Path home, OwnerToken made) throws IOException {
    var folder = folder(home);
    PrivateFolder.write(folder.resolve("person"), made.personToken().getBytes(US_ASCII));
    var header = "header = \"Authorization: Bearer %s\"\n".formatted(made.text());
    PrivateFolder.write(folder.resolve("curl"), header.getBytes(US_ASCII));
    PrivateFolder.write(file(home), made.text().getBytes(US_ASCII));
  }

  /** Reads the token under the home folder. */
  public static OwnerToken read(Path home) throws IOException {
    var before = fileBefore(home);
    return new OwnerToken(
        Files.readString(file(home)).strip(),
        Files.exists(before) ? Optional.of(Files.readString(before).strip()) : Optional.empty());
  }

  /** A new random token. */
  public static OwnerToken random() {
    var bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    var word = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    return new OwnerToken(ServerProof.TOKEN_PREFIX + word, Optional.empty());
  }

  /** The token in an {@code Authorization} header; empty if it has none. */
  public static String bearer(@Nullable String header) {
    return header != null && header.startsWith(BEARER)
        ? header.substring(BEARER.length()).strip()
        : "";
  }

  public boolean matches(String bearer) {
    return isSame(text, bearer);
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(US_ASCII), other.getBytes(US_ASCII));
  }

  /**
   * The token of a machine and its tasks. It gives access to objects and secrets only.
   *
   * @param machine the machine's number
   */
  public String machineToken(String machine) {
    return derived(text, machine);
  }

  private static String derived(String owner, String holder) {
    return ServerProof.TOKEN_PREFIX + holder + "." + seal(owner, holder);
  }

  public boolean matchesMachine(String bearer) {
    return holder(bearer).equals(Optional.of(TokenHolder.MACHINE));
  }

  /** A person's token, which gives access to objects with the rights of those who submit jobs. */
  public String personToken() {
    return derived(text, PERSON);
  }

  /**
   * The token of tasks of a machine that may submit jobs.
   *
   * @param machine the machine's number
   */
  public String taskToken(String machine) {
    return derived(text, TASK + machine);
  }

  /** The token of a person with a role, valid until the next start of the cloud. */
  public String invitation(TokenHolder role, String person) {
    return derived(text, role.role() + "-" + person);
  }

  /** Whose token it is; empty if it is none of this cloud. */
  public Optional<TokenHolder> holder(String bearer) {
    if (matches(bearer)) return Optional.of(TokenHolder.OWNER);
    var name = machine(bearer);
    if (name.isEmpty()) return Optional.empty();
    var now = isSame(derived(text, name), bearer);
    if (name.equals(PERSON)) return Optional.of(TokenHolder.PERSON).filter(_ -> now);
    var role = TokenHolder.ofRole(name.split("-", 2)[0]);
    if (role.isPresent()) return role.filter(_ -> now);
    return Optional.of(name.startsWith(TASK) ? TokenHolder.TASK : TokenHolder.MACHINE)
        .filter(_ -> now || before.filter(old -> isSame(derived(old, name), bearer)).isPresent());
  }

  /** The person that an invitation is for; empty for another token. */
  public Optional<String> person(String bearer) {
    return holder(bearer)
        .filter(holder -> TokenHolder.ofRole(holder.role()).isPresent())
        .map(_ -> machine(bearer).split("-", 2)[1]);
  }

  /** What the token is derived from: a machine's number, with a word before it for its tasks. */
  public static String machine(String bearer) {
    return ServerProof.isLaptopToken(bearer) ? ServerProof.holder(bearer) : "";
  }

  /**
   * How a server at the address proves that it knows a token, as {@link ServerProof} says. There
   * are two proofs for a machine, which may have a token of an earlier start.
   *
   * @param holder the token's holder; empty for the owner
   */
  public List<String> proofs(String holder, String address, String nonce) {
    if (holder.isEmpty()) return List.of(ServerProof.of(text, address, nonce));
    var proofs = new ArrayList<String>();
    proofs.add(ServerProof.of(derived(text, holder), address, nonce));
    before.ifPresent(old -> proofs.add(ServerProof.of(derived(old, holder), address, nonce)));
    return proofs;
  }

  /** A seal of this token on a text. */
  public String seal(String sealed) {
    return seal(text, sealed);
  }

  private static String seal(String owner, String sealed) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(owner.getBytes(US_ASCII), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(sealed.getBytes(US_ASCII)));
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
