package dev.mayfly.emulators;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mayfly.local.os.FreePort;
import dev.mayfly.porttests.GoogleEmulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Functions as processes of the real Functions Framework, on the Firestore emulator. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FunctionProcessTest {
  private static final String URL = "http://workers.example";
  private static final String TOMORROW = "99999999999";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  @TempDir Path folder;
  private FunctionProcess api;
  private FunctionProcess workers;

  @BeforeEach
  void start() throws Exception {
    var env =
        Map.of(
            "GOOGLE_CLOUD_PROJECT",
            GoogleEmulator.freshProject(),
            "MAYFLY_WORKERS_URL",
            URL,
            "MAYFLY_AGENT_ACCOUNT",
            "agent@lab.example",
            "MAYFLY_AUTOSCALE_ACCOUNT",
            "autoscale@lab.example",
            "FIRESTORE_EMULATOR_HOST",
            GoogleEmulator.FIRESTORE.required());
    api = new FunctionProcess("api", "dev.mayfly.functions.ApiFunction", free(), env, folder);
    workers =
        new FunctionProcess("workers", "dev.mayfly.functions.WorkersFunction", free(), env, folder);
    api.start();
    workers.start();
    warm();
  }

  private void warm() throws Exception {
    new FunctionWarmUp().await(List.of(of(api), of(workers)), of(api));
  }

  private FunctionInstances of(FunctionProcess process) {
    return new FunctionInstances(client, List.of(process));
  }

  @AfterEach
  void end() {
    api.close();
    workers.close();
  }

  private static int free() throws IOException {
    return FreePort.find();
  }

  /**
   * On its own connection: a server that refuses a call before it reads the body closes the
   * connection, which a client with keep-alive might be about to reuse.
   */
  private HttpResponse<String> watch(String token) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(workers.url() + "/v1/watch"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"clusters\":[],\"seconds\":5}"));
    if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
    try (var own = HttpClient.newHttpClient()) {
      return own.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static String token(String audience, String email) {
    var claims =
        "{\"aud\":\"%s\",\"email\":\"%s\",\"exp\":%s}".formatted(audience, email, TOMORROW);
    var bytes = claims.getBytes(StandardCharsets.UTF_8);
    return "e30." + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + ".x";
  }

  /** One test for all of it: two processes take seconds to start. */
  @Test
  void functionChecksCallersAndRestartsOnLoopback() throws Exception {
    assertThat(watch("").statusCode()).as("nobody").isEqualTo(401);
    assertThat(watch(token("http://other", "f@lab.example")).statusCode())
        .as("another audience")
        .isEqualTo(403);
    assertThat(watch(token(URL, "agent@lab.example")).statusCode()).as("a machine").isEqualTo(403);
    assertThat(watch(token(URL, "ada@lab.example")).statusCode()).as("a person").isEqualTo(403);
    var watched = watch(token(URL, "autoscale@lab.example"));
    assertThat(watched.statusCode()).as(watched.body()).isEqualTo(200);
    assertThat(watched.body()).contains("\"seconds\":5");

    listensOnLoopbackOnly(workers.port());

    var gone = workers.kill().onExit();
    assertThat(gone.get(180, TimeUnit.SECONDS).isAlive()).isFalse();
    warm();
    assertThat(watch("").statusCode()).as("the next one, on the same port").isEqualTo(401);
  }

  /** From the kernel's socket table, because this machine may have no address besides loopback. */
  private static void listensOnLoopbackOnly(int port) throws IOException {
    var suffix = ":%04X".formatted(port);
    for (var table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      assumeTrue(Files.exists(Path.of(table)), "there is no " + table + " to look into");
      for (var line : Files.readAllLines(Path.of(table))) {
        var columns = line.strip().split("\\s+");
        if (columns[1].endsWith(suffix) && columns[3].equals("0A"))
          assertThat(columns[1])
              .isIn("0100007F" + suffix, "0000000000000000FFFF00000100007F" + suffix);
      }
    }
  }
}
