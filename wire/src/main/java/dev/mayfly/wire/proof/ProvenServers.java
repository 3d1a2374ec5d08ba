package dev.mayfly.wire.proof;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps tokens of a laptop cloud from every server that does not know them. Call it before each
 * call with a token, and before trusting an answer of this cloud.
 *
 * <p>A proof is good for a second: the server may end and another user's take its port at any
 * moment. Thread-safe.
 */
public final class ProvenServers {
  private static final ProvenServers SHARED = new ProvenServers(System::nanoTime);
  private static final Duration GOOD_FOR = Duration.ofSeconds(1);
  private static final String REMEDY = "start one with: mayfly local";
  private static final int LIMIT_MILLIS = 15_000;
  private static final int LARGEST = 10_000;
  private static final int NONCE_BYTES = 24;
  private static final Pattern LOOPBACK =
      Pattern.compile("http://(127(?:\\.\\d{1,3}){3}|localhost|\\[::1])(:\\d{1,5})?(?:/.*)?");

  private final LongSupplier nanos;
  private final Map<Server, Long> proven = new ConcurrentHashMap<>();
  private @Nullable SecureRandom random;

  /** What was proven: that the server at an address knows a token. */
  private record Server(String address, String token) {
    /** Omits the token, which must not be logged. */
    @Override
    public String toString() {
      return address;
    }
  }

  /** The answer at {@link ServerProof#PATH}. */
  public record Answer(List<String> proofs) {}

  ProvenServers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Those of this process. */
  public static ProvenServers shared() {
    return SHARED;
  }

  /**
   * As {@link #require}, if a laptop cloud made the token and the URL is on loopback; otherwise
   * returns at once.
   */
  public void check(String url, String token) {
    if (ServerProof.isLaptopToken(token) && LOOPBACK.matcher(url).matches()) require(url, token);
  }

  /** As {@link #check}, for what takes another server for none at all, and tries again. */
  public void connect(String url, String token) throws ConnectException {
    try {
      check(url, token);
    } catch (UnavailableException foreign) {
      throw (ConnectException) new ConnectException(foreign.getMessage()).initCause(foreign);
    }
  }

  /** Throws {@link UnavailableException} unless the server at the URL knows the token. */
  public void require(String url, String token) {
    var place = LOOPBACK.matcher(url);
    if (!place.matches())
      throw new UnavailableException(
          "the laptop cloud's token is not sent to " + url + ", which is not on this machine");
    var host = place.group(1).equals("localhost") ? "127.0.0.1" : place.group(1);
    var address = host + (place.group(2) == null ? ":80" : place.group(2));
    require(address, token, (nonce, holder) -> asked(address, nonce, holder));
  }

  /** Asks a server for its proofs; one of them has to be right. */
  public interface Asking {
    List<String> proofs(String nonce, String holder) throws IOException;
  }

  /**
   * As above, for a server that is not asked over HTTP.
   *
   * @param address {@code IP:port}
   */
  public void require(String address, String token, Asking asking) {
    var server = new Server(address, token);
    var last = proven.get(server);
    if (last != null && nanos.getAsLong() - last < GOOD_FOR.toNanos()) return;
    var now = nanos.getAsLong();
    if (!isProven(server, asking)) throw foreign(address);
    proven.put(server, now);
  }

  private static UnavailableException foreign(String address) {
    return new UnavailableException(
        "another program answers at %s: it does not know this laptop cloud's token, which was not sent to it; if the laptop cloud is down, %s (with --port N while that port is taken)"
            .formatted(address, REMEDY));
  }

  private boolean isProven(Server server, Asking asking) {
    var nonce = nonce();
    var right = ServerProof.of(server.token(), server.address(), nonce).getBytes(US_ASCII);
    try {
      return asking.proofs(nonce, ServerProof.holder(server.token())).stream()
          .anyMatch(proof -> MessageDigest.isEqual(right, proof.getBytes(US_ASCII)));
    } catch (IOException e) {
      throw new UnavailableException(
          "nothing answers at " + server.address() + "; if the laptop cloud is down, " + REMEDY, e);
    }
  }

  private static List<String> asked(String address, String nonce, String holder)
      throws IOException {
    var url = "http://%s%s?nonce=%s&holder=%s".formatted(address, ServerProof.PATH, nonce, holder);
    var call = (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
    call.setConnectTimeout(LIMIT_MILLIS);
    call.setReadTimeout(LIMIT_MILLIS);
    call.setInstanceFollowRedirects(false);
    call.setUseCaches(false);
    if (call.getResponseCode() != 200) {
      call.disconnect();
      return List.of();
    }
    try (var in = call.getInputStream()) {
      return Wire.shared().read(Answer.class, in.readNBytes(LARGEST)).proofs();
    } catch (InvalidInputException foreign) {
      return List.of();
    }
  }

  private synchronized String nonce() {
    if (random == null) random = new SecureRandom();
    var bytes = new byte[NONCE_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
