package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.cloud.functions.HttpFunction;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.wire.Wire;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * Plays Cloud Run's check before a private function: admits calls only with a token signed by the
 * cloud. The function reads the token's claims.
 *
 * <p>A call without a token gets 403, and an invalid signature gets 401, as on Cloud Run. The
 * cloud's key is fetched once; until then, calls get 503 if the cloud is unavailable.
 */
public final class IdentityTokenFilter {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final URI certificates;
  private final String token;
  private volatile Optional<PublicKey> key = Optional.empty();

  /**
   * @param cloud the simulated cloud's URL
   * @param token the owner's, which the cloud has to know before its key is trusted
   */
  public IdentityTokenFilter(String cloud, String token) {
    certificates = URI.create(cloud + "/_sim/certs");
    this.token = token;
  }

  /** A JSON Web Key Set. */
  record Keys(List<Key> keys) {}

  /** A public key of RSA. */
  record Key(String kty, String alg, String use, String kid, String n, String e) {}

  HttpFunction protect(HttpFunction function) {
    return (request, response) -> {
      var refusal = denialStatus(request.getFirstHeader("Authorization").orElse(""));
      if (refusal == 0) {
        function.service(request, response);
        return;
      }
      response.setStatusCode(refusal);
      if (refusal == 401) response.appendHeader("WWW-Authenticate", "Bearer");
      response.getWriter().write("The request was not let in: no token of this cloud came with it");
    };
  }

  /**
   * The status of a refusal; 0 if the call is admitted.
   *
   * @param header the call's {@code Authorization} header
   */
  public int denialStatus(String header) {
    if (!header.startsWith("Bearer ")) return 403;
    try {
      return signed(header.substring("Bearer ".length()).strip()) ? 0 : 401;
    } catch (UnavailableException away) {
      return 503;
    }
  }

  /**
   * As {@link #denialStatus}, for a function that one account may call: 403 for the tokens of all
   * others.
   *
   * @param audience the function's URL
   */
  public int denialStatus(String header, String account, String audience, Instant now) {
    var status = denialStatus(header);
    if (status != 0) return status;
    var parts = header.split("\\.");
    if (parts.length != 3) return 401;
    try {
      var claims = RestCall.JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
      if (!now.isBefore(Instant.ofEpochSecond(claims.path("exp").asLong(0)))) return 401;
      if (!claims.path("aud").asString("").equals(audience)) return 401;
      return claims.path("email").asString("").equals(account) ? 0 : 403;
    } catch (IllegalArgumentException | JacksonException unreadable) {
      return 401;
    }
  }

  private boolean signed(String token) {
    var end = token.lastIndexOf('.');
    if (end < 0) return false;
    try {
      var check = Signature.getInstance("SHA256withRSA");
      check.initVerify(key());
      check.update(token.substring(0, end).getBytes(US_ASCII));
      return check.verify(Base64.getUrlDecoder().decode(token.substring(end + 1)));
    } catch (GeneralSecurityException | IllegalArgumentException forged) {
      return false;
    }
  }

  private PublicKey key() throws GeneralSecurityException {
    if (key.isPresent()) return key.get();
    var first = fetched().keys().getFirst();
    var spec = new RSAPublicKeySpec(number(first.n()), number(first.e()));
    var made = KeyFactory.getInstance("RSA").generatePublic(spec);
    key = Optional.of(made);
    return made;
  }

  private static BigInteger number(String text) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(text));
  }

  private Keys fetched() {
    var request = java.net.http.HttpRequest.newBuilder(certificates).timeout(LIMIT).build();
    try (var client = HttpClient.newHttpClient()) {
      ProvenServers.shared().connect(certificates.toString(), token);
      return Wire.shared()
          .read(Keys.class, client.send(request, BodyHandlers.ofByteArray()).body());
    } catch (IOException | InvalidInputException e) {
      throw new UnavailableException("the cloud's key is not available: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("this process is ending", e);
    }
  }
}
