package dev.mayfly.local.machines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.os.PrivateFolder;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs the identity tokens of this cloud's machines in Google's format, with a key that is created
 * at the first start and kept. {@link #certificates} verifies them.
 */
public final class IdentityTokenSigner {
  /** The lifetime of a token. */
  public static final Duration LIFE = Duration.ofHours(1);

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final String KEY_ID = "mayfly-local";

  private final RSAPrivateCrtKey key;

  private IdentityTokenSigner(RSAPrivateCrtKey key) {
    this.key = key;
  }

  /**
   * Reads the key or creates it.
   *
   * @throws IOException when the file cannot be read or written, or holds no key
   */
  public static IdentityTokenSigner load(Path keyFile) throws IOException {
    try {
      if (!Files.exists(keyFile)) {
        create(keyFile);
      }
      var spec = new PKCS8EncodedKeySpec(Files.readAllBytes(keyFile));
      return new IdentityTokenSigner(
          (RSAPrivateCrtKey) KeyFactory.getInstance("RSA").generatePrivate(spec));
    } catch (GeneralSecurityException e) {
      throw new IOException(keyFile + " contains no RSA key; delete it to create a new key", e);
    }
  }

  /** The public key, as a JSON Web Key Set. */
  public String certificates() {
    var root = JSON.createObjectNode();
    root.putArray("keys")
        .addObject()
        .put("kty", "RSA")
        .put("alg", "RS256")
        .put("use", "sig")
        .put("kid", KEY_ID)
        .put("n", number(key.getModulus()))
        .put("e", number(key.getPublicExponent()));
    return JSON.writeValueAsString(root);
  }

  /**
   * A token that identifies a machine.
   *
   * @param full whether it also names the instance, as {@code format=full} asks
   */
  String machineToken(VmSpec spec, String audience, boolean full, Instant now) {
    var claims = claims(spec.id(), spec.serviceAccount(), audience, now);
    if (full) {
      addInstance(claims.putObject("google").putObject("compute_engine"), spec);
    }
    return signed(claims);
  }

  /** A token of a service account, for a caller that may impersonate it. */
  public String accountToken(String email, String audience, Instant now) {
    return signed(claims(email, email, audience, now));
  }

  private static ObjectNode claims(String subject, String email, String audience, Instant now) {
    return JSON.createObjectNode()
        .put("aud", audience)
        .put("azp", subject)
        .put("email", email)
        .put("email_verified", true)
        .put("exp", now.plus(LIFE).getEpochSecond())
        .put("iat", now.getEpochSecond())
        .put("iss", "https://accounts.google.com")
        .put("sub", subject);
  }

  private String signed(ObjectNode claims) {
    var header = JSON.createObjectNode().put("alg", "RS256").put("kid", KEY_ID).put("typ", "JWT");
    var signed = part(header) + "." + part(claims);
    return signed + "." + BASE64.encodeToString(signature(signed));
  }

  private static void addInstance(ObjectNode claims, VmSpec spec) {
    claims
        .put("instance_id", spec.id())
        .put("instance_name", spec.name())
        .put("project_id", spec.project())
        .put("project_number", Long.parseLong(VmSpec.PROJECT_NUMBER))
        .put("zone", spec.zone());
  }

  private byte[] signature(String text) {
    try {
      var signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(key);
      signer.update(text.getBytes(UTF_8));
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java cannot sign with RSA and SHA-256", e);
    }
  }

  private static String part(ObjectNode node) {
    return BASE64.encodeToString(JSON.writeValueAsBytes(node));
  }

  private static String number(BigInteger value) {
    var bytes = value.toByteArray();
    var sign = bytes[0] == 0 ? 1 : 0;
    return BASE64.encodeToString(Arrays.copyOfRange(bytes, sign, bytes.length));
  }

  private static void create(Path keyFile) throws IOException, GeneralSecurityException {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateFolder.write(keyFile, generator.generateKeyPair().getPrivate().getEncoded());
  }
}
