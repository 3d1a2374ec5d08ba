package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.access.TokenHolder;
import dev.mayfly.local.http.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** Each caller may do what Terraform grants to its account, and the owner everything. */
final class ObjectRightsTest {
  private static final OwnerToken OWNER = OwnerToken.random();
  private static final Path ACCESS = Path.of("../terraform/modules/iam/access.json");
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final List<String> PREFIXES = List.of("mayfly/", "results/");
  private static final String OBJECTS = "projects/_/buckets/lab/objects";
  private static final HttpResponse.BodyHandler<String> TEXT = HttpResponse.BodyHandlers.ofString();

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final CallerRights rights = new CallerRights(OWNER, PREFIXES);
  private StorageApi storage;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(folder.resolve("lab"));
    storage = new StorageApi(folder, InstantSource.system(), false, rights::of);
    server = new TestServer(storage.routes());
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    server.close();
  }

  /** Names of every kind that a condition tells apart. */
  private static final List<String> NAMES =
      List.of(
          "anywhere/x",
          "progress.json",
          "in/x",
          "in/x.COMPLETE",
          "results/x",
          "results/x.COMPLETE",
          "mayfly/j1/0",
          "mayfly/.setups/x.tar.gz",
          "mayfly/.code/x.zip",
          "mayfly/.code/x.COMPLETE",
          "mayfly/.jobs/x",
          "mayfly/.jobs/j1/logs/00000000/s0e1/00000.log",
          "mayfly/.jobs/j1/logs/metrics/00000000/s0e1/00000.metrics.jsonl",
          "mayfly/.jobs/j1/tasks/0000000.jsonl",
          "mayfly/.jobs/j1/outcome/00000.jsonl",
          "mayfly/.jobs/j1/outcome/x/logs/y",
          "mayfly/.jobs/j1/tasks/x/logs/y",
          "mayfly/.jobs/logs/x",
          "a/mayfly/.jobs/j1/logs/x");

  /** The accounts of Terraform whose rights the holders of tokens have. */
  private static final Map<TokenHolder, String> ACCOUNTS =
      Map.of(
          TokenHolder.MACHINE, "agent",
          TokenHolder.PERSON, "submitters",
          TokenHolder.SUBMITTER, "personal",
          TokenHolder.ADMIN, "personal",
          TokenHolder.TASK, "task-submitter");

  private static String token(TokenHolder holder) {
    return switch (holder) {
      case OWNER -> OWNER.text();
      case PERSON -> OWNER.personToken();
      case MACHINE -> OWNER.machineToken("7");
      case TASK -> OWNER.taskToken("7");
      case VIEWER, SUBMITTER, ADMIN -> OWNER.invitation(holder, "ann");
    };
  }

  static Stream<Arguments> callsOnObjects() {
    return ACCOUNTS.keySet().stream()
        .sorted()
        .flatMap(holder -> NAMES.stream().map(name -> Arguments.of(holder, name)));
  }

  /** As the grants in access.json decide it, by their own conditions. */
  @ParameterizedTest
  @MethodSource("callsOnObjects")
  void callerMayDoWhatTerraformGrants(TokenHolder holder, String name) throws Exception {
    var creates = isGranted(holder, "roles/storage.objectCreator", name);
    var deletes = isGranted(holder, "mayflyReplacer", name);

    var created = put(token(holder), name);
    assertThat(created.statusCode()).isEqualTo(creates ? 200 : 403);
    if (!creates)
      assertThat(created.body())
          .contains("does not have storage.objects.create access", "lab/" + name);
    put(OWNER.text(), name);
    var replaced = put(token(holder), name);
    assertThat(replaced.statusCode()).isEqualTo(creates && deletes ? 200 : 403);
    if (!deletes)
      assertThat(replaced.body()).contains("does not have storage.objects.", "lab/" + name);
    assertThat(delete(token(holder), name).statusCode()).isEqualTo(deletes ? 204 : 403);
    put(OWNER.text(), name);
    assertThat(get(token(holder), name).statusCode())
        .isEqualTo(isGranted(holder, "roles/storage.objectViewer", name) ? 200 : 403);
    assertThat(delete(OWNER.text(), name).statusCode()).isEqualTo(204);
  }

  private static boolean isGranted(TokenHolder holder, String role, String name)
      throws IOException {
    var access = JSON.readTree(Files.readString(ACCESS));
    for (var grant : access.get("grants"))
      if (grant.get("who").asString().equals(ACCOUNTS.get(holder))
          && grant.get("role").asString().equals(role)
          && grant.get("on").asString().equals("buckets")) {
        var condition = grant.path("condition").asString("");
        if (condition.isEmpty()) return true;
        // The places that Terraform fills in.
        var outputs =
            PREFIXES.stream()
                .map(prefix -> "resource.name.startsWith(\"{objects}/" + prefix + "\")")
                .collect(Collectors.joining(" || "));
        var text =
            access
                .get("conditions")
                .get(condition)
                .asString()
                .replace("{outputs}", outputs)
                .replace("{objects}", OBJECTS);
        if (IamCondition.holds(text, OBJECTS + "/" + name)) return true;
      }
    return false;
  }

  /** Google's clients in a task send none, and are told of the machine's own address only. */
  @Test
  void callWithoutCredentialIsRefusedButOnMachines() throws Exception {
    put(OWNER.text(), "in/x");

    assertThat(get("", "in/x").statusCode()).isEqualTo(401);
    assertThat(get("foreign", "in/x").statusCode()).isEqualTo(401);
    assertThat(put("", "in/y").body()).contains("Anonymous caller", "metadata: true");
    try (var machine = new TestServer(storage.onMachines(rights::onMachine).routes())) {
      var object = machine.url() + "/storage/v1/b/lab/o/in%2Fx";
      var read = http.send(HttpRequest.newBuilder(URI.create(object)).build(), TEXT);
      var deleted = http.send(HttpRequest.newBuilder(URI.create(object)).DELETE().build(), TEXT);
      assertThat(read.statusCode()).isEqualTo(200);
      assertThat(deleted.statusCode()).as("with the machine's rights").isEqualTo(403);
    }
  }

  @Test
  void refusalOfPersonNamesRemedy() throws Exception {
    put(OWNER.text(), "in/x");

    assertThat(delete(OWNER.personToken(), "in/x").body())
        .contains("replace and delete none", "choose another name", "$MAYFLY_HOME/cloud/buckets");
  }

  @Test
  void existingObjectIsConflictBeforeItIsRefused() throws Exception {
    assertThat(put(machine(), "in/x").statusCode()).isEqualTo(200);

    var again = send(machine(), "POST", upload("in/x") + "&ifGenerationMatch=0", "2");

    assertThat(again.statusCode()).as("an agent must see that it exists").isEqualTo(412);
  }

  @Test
  void batchHasItsOwnCallersRights() throws Exception {
    put(OWNER.text(), "in/x");
    var part =
        "--b\r\nContent-Type: application/http\r\n\r\n"
            + "DELETE /storage/v1/b/lab/o/in%2Fx HTTP/1.1\r\n\r\n\r\n--b--\r\n";

    assertThat(batch(machine(), part).body()).contains("HTTP/1.1 403");
    assertThat(batch(OWNER.text(), part).body()).contains("HTTP/1.1 204");
  }

  @Test
  void machineDoesNotMoveOrRelabel() throws Exception {
    put(OWNER.text(), "in/x");

    var moved = send(machine(), "POST", "/storage/v1/b/lab/o/in%2Fx/moveTo/o/results%2Fx", "");
    var changed = send(machine(), "PATCH", "/storage/v1/b/lab/o/in%2Fx", "{}");
    var bucket = send(machine(), "DELETE", "/storage/v1/b/lab", "");

    assertThat(List.of(moved.statusCode(), changed.statusCode(), bucket.statusCode()))
        .containsOnly(403);
    assertThat(changed.body()).contains("storage.objects.update");
    assertThat(send(machine(), "GET", "/storage/v1/b/lab/o/in%2Fx", "").statusCode())
        .isEqualTo(200);
  }

  private static String machine() {
    return OWNER.machineToken("7");
  }

  private static String upload(String name) {
    return "/upload/storage/v1/b/lab/o?uploadType=media&name=" + URLEncoder.encode(name, UTF_8);
  }

  private HttpResponse<String> put(String token, String name) throws Exception {
    return send(token, "POST", upload(name), "1");
  }

  private HttpResponse<String> get(String token, String name) throws Exception {
    return send(token, "GET", "/storage/v1/b/lab/o/" + URLEncoder.encode(name, UTF_8), "");
  }

  private HttpResponse<String> delete(String token, String name) throws Exception {
    return send(token, "DELETE", "/storage/v1/b/lab/o/" + URLEncoder.encode(name, UTF_8), "");
  }

  private HttpResponse<String> batch(String token, String parts) throws Exception {
    return http.send(
        request(token, "/batch/storage/v1")
            .header("Content-Type", "multipart/mixed; boundary=b")
            .POST(BodyPublishers.ofString(parts))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> send(String token, String method, String path, String body)
      throws Exception {
    return http.send(
        request(token, path).method(method, BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String token, String path) {
    var request = HttpRequest.newBuilder(URI.create(server.url() + path));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }
}
