package dev.mayfly.emulators;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.access.AccessGuard;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CloudRunFrontendTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private final HttpClient client = HttpClient.newHttpClient();

  /** All calls go to these instances, whichever function is called. */
  private interface Calls {
    void with(String url) throws Exception;
  }

  private static void front(FunctionInstances functionInstances, Calls calls) throws Exception {
    var functions =
        Map.of(
            "api", functionInstances, "workers", functionInstances, "vm-events", functionInstances);
    try (var server =
        new CloudRunFrontend(functions, List.of(), "functions@lab", _ -> 0, () -> NOW)
            .start(0, AccessGuard.againstPages())) {
      calls.with(server.url());
    }
  }

  private HttpResponse<String> post(String url, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer t")
            .header("X-Other", "kept here")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void callAndAnswerPassUnchanged() throws Exception {
    try (var function = new StubFunction(403)) {
      front(
          StubFunction.instances(function),
          url -> {
            var answer = post(url + "/workers/v1/sync?a=%20b", "ü");
            var heard = function.next();

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).isEqualTo("ü");
            assertThat(heard.uri().toString()).isEqualTo("/v1/sync?a=%20b");
            assertThat(heard.header("Authorization")).isEqualTo("Bearer t");
            assertThat(heard.header("X-Other")).isEmpty();
            assertThat(new String(heard.body(), UTF_8)).isEqualTo("ü");
          });
    }
  }

  @Test
  void callsAreSpreadOverTheInstances() throws Exception {
    try (var one = new StubFunction();
        var two = new StubFunction()) {
      front(
          StubFunction.instances(one, two),
          url -> {
            for (var i = 0; i < 4; i++)
              assertThat(post(url + "/workers/v1/sync", "x").statusCode()).isEqualTo(200);

            assertThat(one.calls()).isEqualTo(2);
            assertThat(two.calls()).isEqualTo(2);
          });
    }
  }

  @Test
  void callOfDyingInstanceIsNotRetried() throws Exception {
    try (var function = new StubFunction(StubFunction.DIES)) {
      front(
          StubFunction.instances(function),
          url -> {
            assertThat(post(url + "/workers/v1/sync", "x").statusCode()).isEqualTo(503);
            assertThat(function.calls()).as("a change is sent once").isEqualTo(1);
          });
    }
  }

  @Test
  void identityTokenIgnoresInjectedClaims() throws Exception {
    try (var function = new StubFunction()) {
      front(
          StubFunction.instances(function),
          url -> {
            var path = "/computeMetadata/v1/instance/service-accounts/default/identity";
            var asked = url + path + "?audience=http://w%22,%22exp%22:%221";
            var request = HttpRequest.newBuilder(URI.create(asked)).build();
            var token = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            var claims = new String(Base64.getUrlDecoder().decode(token.split("\\.")[1]), UTF_8);

            assertThat(claims)
                .startsWith("{\"aud\":\"http://w,exp:1\",")
                .contains("\"exp\":" + (NOW.getEpochSecond() + 3_600));
          });
    }
  }
}
