package dev.mayfly.local.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.OwnerToken;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of docs/security.md for the account {@code agent}, and the owner beside it. */
final class ObjectRightsTest {
  private static final OwnerToken OWNER = OwnerToken.random();

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(folder.resolve("lab"));
    var rights = new ObjectRightsCheck(OWNER, List.of("mayfly/", "results/"));
    server =
        new TestServer(new StorageApi(folder, InstantSource.system(), false, rights::of).routes());
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "anywhere/x, 200",
    "in/x, 200",
    "results/x, 200",
    "results/x.COMPLETE, 200",
    "mayfly/j1/0, 200",
    "mayfly/.setups/x.tar.gz, 200",
    "mayfly/.jobs/j1/logs/00000000/s0e1/00000.log, 200",
    "mayfly/.jobs/j1/tasks/0000000.jsonl, 403",
    "mayfly/.jobs/j1/outcome/00000.jsonl, 403",
    "mayfly/.jobs/j1/outcome/x/logs/y, 403",
    "mayfly/.code/x.zip, 403"
  })
  void machineCreates(String name, int status) throws Exception {
    assertThat(put(machine(), name).statusCode()).isEqualTo(status);
    assertThat(put(OWNER.text(), name + "-by-owner").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "anywhere/x, 403",
    "progress.json, 403",
    "results/x, 200",
    "results/x.COMPLETE, 403",
    "mayfly/j1/0, 200",
    "mayfly/.setups/x.tar.gz, 403",
    "mayfly/.jobs/j1/logs/00000000/s0e1/00000.log, 403"
  })
  void machineReplacesAndDeletes(String name, int status) throws Exception {
    assertThat(put(OWNER.text(), name).statusCode()).isEqualTo(200);

    for (var token : List.of(machine(), "")) {
      var replaced = put(token, name);
      assertThat(replaced.statusCode()).isEqualTo(status);
      if (status == 403)
        assertThat(replaced.body())
            .contains("does not have storage.objects.delete access", "lab/" + name);
      assertThat(delete(token, name).statusCode()).isEqualTo(status == 200 ? 204 : 403);
      assertThat(put(OWNER.text(), name).statusCode()).isEqualTo(200);
    }
    assertThat(delete(OWNER.text(), name).statusCode()).isEqualTo(204);
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
