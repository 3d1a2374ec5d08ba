package dev.mayfly.agent.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IamTokenClientTest {
  private final List<String> asked = new ArrayList<>();
  private HttpServer server;
  private int status = 200;
  private String answer = "{\"token\": \"e30.e30.c2ln\"}";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      asked.add(
          "%s %s %s %s"
              .formatted(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI(),
                  exchange.getRequestHeaders().getFirst("Authorization"),
                  new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
      var bytes = answer.getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private IamTokenClient identity() {
    var endpoint = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    return new IamTokenClient(
        endpoint, "desk@lab.iam.gserviceaccount.com", "https://workers", () -> "login");
  }

  @Test
  void loginGetsServiceAccountToken() {
    assertThat(identity().get()).isEqualTo("e30.e30.c2ln");
    assertThat(asked)
        .containsExactly(
            "POST /v1/projects/-/serviceAccounts/desk@lab.iam.gserviceaccount.com:generateIdToken"
                + " Bearer login {\"audience\":\"https://workers\",\"includeEmail\":true}");
  }

  @Test
  void deniedLoginNamesMissingRole() {
    status = 403;

    assertThatThrownBy(() -> identity().get())
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("roles/iam.serviceAccountTokenCreator");
  }

  @Test
  void failedRequestIsUnavailable() {
    status = 503;
    assertThatThrownBy(() -> identity().get()).isInstanceOf(UnavailableException.class);

    status = 200;
    answer = "{}";
    assertThatThrownBy(() -> identity().get()).isInstanceOf(UnavailableException.class);
  }
}
