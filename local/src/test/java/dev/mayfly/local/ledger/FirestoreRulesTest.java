package dev.mayfly.local.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.porttests.GoogleEmulator;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules that Terraform deploys, on the official Firestore emulator. */
class FirestoreRulesTest {
  private static final Path RULES =
      Path.of("..", "terraform", "modules", "control-plane", "firestore.rules");
  private static final String OPEN =
      """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /{document=**} { allow read, write: if true; }
        }
      }
      """;

  /** What a phone app sends for a user who is signed in; the emulator asks for no signature. */
  private static final Optional<String> USER = Optional.of(token());

  private static final Optional<String> NO_USER = Optional.empty();

  /**
   * The emulator's token for a service account, which IAM allows everything regardless of the
   * rules.
   */
  private static final Optional<String> SERVICE = Optional.of("owner");

  private static final List<String> DATABASES = List.of("(default)", "mayfly");

  private final HttpClient client = HttpClient.newHttpClient();
  private final String project = GoogleEmulator.freshProject();
  private String emulator;

  /** The emulator's own form. */
  record Rules(Source rules) {
    record Source(List<File> files) {}

    record File(String name, String content) {}
  }

  @BeforeEach
  void start() {
    emulator = "http://" + GoogleEmulator.FIRESTORE.required();
  }

  @Test
  void phonesAndWebPagesAreDenied() throws Exception {
    deploy(Files.readString(RULES));

    for (var database : DATABASES)
      for (var caller : List.of(NO_USER, USER)) {
        assertThat(status(caller, "GET", database, "jobs/a")).isEqualTo(403);
        assertThat(status(caller, "GET", database, "clusters/c/jobs/a")).isEqualTo(403);
        assertThat(status(caller, "GET", database, "jobs")).isEqualTo(403);
        assertThat(status(caller, "PATCH", database, "jobs/a")).isEqualTo(403);
        assertThat(status(caller, "DELETE", database, "jobs/a")).isEqualTo(403);
      }
  }

  @Test
  void serviceAccountsBypassRules() throws Exception {
    deploy(Files.readString(RULES));

    for (var database : DATABASES) {
      assertThat(status(SERVICE, "PATCH", database, "jobs/a")).isEqualTo(200);
      assertThat(status(SERVICE, "GET", database, "jobs/a")).isEqualTo(200);
    }
  }

  /** Otherwise the test above would also pass with an emulator that refuses everything. */
  @Test
  void openRulesAdmitThem() throws Exception {
    deploy(OPEN);

    for (var caller : List.of(NO_USER, USER))
      assertThat(status(caller, "PATCH", "mayfly", "jobs/a")).isEqualTo(200);
  }

  private void deploy(String rules) throws IOException, InterruptedException {
    var body = new Rules(new Rules.Source(List.of(new Rules.File("firestore.rules", rules))));
    for (var database : DATABASES) {
      var place =
          "/emulator/v1/projects/%s/databases/%s:securityRules".formatted(project, database);
      var request =
          request(place).PUT(BodyPublishers.ofByteArray(Wire.shared().json(body))).build();
      var answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }

  private int status(Optional<String> bearer, String method, String database, String path)
      throws IOException, InterruptedException {
    var request =
        request("/v1/projects/%s/databases/%s/documents/%s".formatted(project, database, path));
    bearer.ifPresent(token -> request.header("Authorization", "Bearer " + token));
    var body = method.equals("PATCH") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody();
    return client
        .send(request.method(method, body).build(), BodyHandlers.discarding())
        .statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(emulator + path)).timeout(Duration.ofSeconds(30));
  }

  private static String token() {
    var base64 = Base64.getUrlEncoder().withoutPadding();
    var claims = "{\"sub\":\"ann\",\"user_id\":\"ann\",\"iat\":0,\"exp\":4102444800}";
    return base64.encodeToString("{\"alg\":\"none\",\"typ\":\"JWT\"}".getBytes(UTF_8))
        + "."
        + base64.encodeToString(claims.getBytes(UTF_8))
        + ".";
  }
}
