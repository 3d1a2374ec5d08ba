package dev.mayfly.local.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.Route;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@Timeout(300)
class MetadataServerTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  /** Plays what is served beside metadata. */
  private static final List<Route> SERVED =
      List.of(
          new Route("/storage/v1/", call -> call.answerText(200, "objects"), AccessLevel.SAME_USER),
          new Route("/", call -> call.answerText(200, "one object"), AccessLevel.SAME_USER));

  private static final VmSpec SPEC =
      new VmSpec(
          "1234567890",
          "w-1",
          "us-central1-a",
          "lab",
          "n2-standard-4",
          4,
          16_384,
          "agent@lab.iam.gserviceaccount.com",
          true,
          "127.251.0.1",
          Map.of("mayfly-nonce", "n0nce"),
          List.of());

  private static final OwnerToken OWNER = OwnerToken.random();

  @TempDir static Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private IdentityTokenSigner tokens;
  private MetadataServer server;

  @BeforeEach
  void start() throws IOException {
    tokens = IdentityTokenSigner.load(folder.resolve("key"));
    server = MetadataServer.start(0, SPEC, tokens, OWNER, InstantSource.fixed(NOW), SERVED);
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  @Test
  void metadataDescribesMachine() throws Exception {
    assertThat(get("instance/id").body()).isEqualTo("1234567890");
    assertThat(get("instance/network-interfaces/0/ip").body()).isEqualTo("127.251.0.1");
    assertThat(get("instance/zone").body()).isEqualTo("projects/1/zones/us-central1-a");
    assertThat(get("instance/machine-type").body())
        .isEqualTo("projects/1/machineTypes/n2-standard-4");
    assertThat(get("instance/attributes/mayfly-nonce").body()).isEqualTo("n0nce");
    assertThat(get("instance/scheduling/preemptible").body()).isEqualTo("TRUE");
    assertThat(get("instance/service-accounts/default/email").body())
        .isEqualTo("agent@lab.iam.gserviceaccount.com");
    assertThat(get("project/project-id").body()).isEqualTo("lab");
    assertThat(get("instance/attributes/none").statusCode()).isEqualTo(404);
  }

  @Test
  void aRequestWithoutTheHeaderIsRefused() throws Exception {
    var request = HttpRequest.newBuilder(uri("instance/id")).build();

    var reply = client.send(request, BodyHandlers.ofString());

    assertThat(reply.statusCode()).isEqualTo(403);
  }

  @Test
  void pingIdentifiesGoogle() throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port())).build();

    var reply = client.send(request, BodyHandlers.discarding());

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().firstValue("Metadata-Flavor")).contains("Google");
  }

  @Test
  void servesObjectsBesideMetadata() throws Exception {
    for (var path : List.of("/storage/v1/b/lab", "/lab/object")) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build();
      assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("object");
    }
    assertThat(get("instance/id").body()).isEqualTo("1234567890");
  }

  @Test
  void preemptionEndsWait() throws Exception {
    var tag = get("instance/preempted").headers().firstValue("ETag").orElseThrow();
    var waiting =
        client.sendAsync(
            request("instance/preempted?wait_for_change=true&last_etag=" + tag),
            BodyHandlers.ofString());

    server.announcePreemption();

    assertThat(waiting.get(120, TimeUnit.SECONDS).body()).isEqualTo("TRUE");
    // A later call with the old tag returns at once.
    assertThat(get("instance/preempted?wait_for_change=true&last_etag=" + tag).body())
        .isEqualTo("TRUE");
  }

  @Test
  void timedOutWaitReturnsOldValue() throws Exception {
    assertThat(get("instance/preempted?wait_for_change=true&timeout_sec=0").body())
        .isEqualTo("FALSE");
  }

  @Test
  void anAccessTokenNamesItsBearer() throws Exception {
    var token = JsonMapper.shared().readTree(get(account("token")).body());

    assertThat(token.path("access_token").asString()).isEqualTo(OWNER.machineToken("1234567890"));
    assertThat(token.path("expires_in").asInt()).isEqualTo(3600);
    assertThat(token.path("token_type").asString()).isEqualTo("Bearer");
  }

  @Test
  void anIdentityTokenIsSignedAndNamesTheMachine() throws Exception {
    var parts = get(account("identity?audience=https://workers&format=full")).body().split("\\.");

    var claims = JsonMapper.shared().readTree(decode(parts[1]));
    assertThat(claims.path("aud").asString()).isEqualTo("https://workers");
    assertThat(claims.path("exp").asLong()).isEqualTo(NOW.plusSeconds(3600).getEpochSecond());
    var engine = claims.path("google").path("compute_engine");
    assertThat(engine.path("instance_id").asString()).isEqualTo("1234567890");
    assertThat(engine.path("zone").asString()).isEqualTo("us-central1-a");
    assertThat(isSigned(parts[0] + "." + parts[1], decode(parts[2]))).isTrue();
    assertThat(isSigned(parts[0] + "." + parts[1] + "x", decode(parts[2]))).isFalse();
  }

  @Test
  void theKeyIsKept() throws IOException {
    assertThat(IdentityTokenSigner.load(folder.resolve("key")).certificates())
        .isEqualTo(tokens.certificates());
  }

  private boolean isSigned(String text, byte[] signature) throws Exception {
    var key = JsonMapper.shared().readTree(tokens.certificates()).path("keys").get(0);
    var spec =
        new RSAPublicKeySpec(
            new BigInteger(1, decode(key.path("n").asString())),
            new BigInteger(1, decode(key.path("e").asString())));
    var verifier = Signature.getInstance("SHA256withRSA");
    verifier.initVerify(KeyFactory.getInstance("RSA").generatePublic(spec));
    verifier.update(text.getBytes(StandardCharsets.UTF_8));
    return verifier.verify(signature);
  }

  private static byte[] decode(String text) {
    return Base64.getUrlDecoder().decode(text);
  }

  private static String account(String path) {
    return "instance/service-accounts/default/" + path;
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path), BodyHandlers.ofString());
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(uri(path)).header("Metadata-Flavor", "Google").build();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + "/computeMetadata/v1/" + path);
  }
}
