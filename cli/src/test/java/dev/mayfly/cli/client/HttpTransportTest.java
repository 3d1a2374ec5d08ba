package dev.mayfly.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls over HTTP against a server on loopback. */
class HttpTransportTest {
  private final List<String> calls = new ArrayList<>();
  private final List<Integer> statuses = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var token = exchange.getRequestHeaders().getFirst("Authorization");
      calls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body + token);
      var status = statuses.isEmpty() ? 200 : statuses.removeFirst();
      var answer = ("answer " + status).getBytes(UTF_8);
      if (status == 302) exchange.getResponseHeaders().add("Location", "/elsewhere");
      exchange.sendResponseHeaders(status, status == 204 ? -1 : answer.length);
      if (status != 204) exchange.getResponseBody().write(answer);
    }
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Test
  void bodiesOfAllStatusesAreRead() {
    statuses.addAll(List.of(200, 204, 400, 401, 404, 500));
    var http = new HttpTransport(url -> Optional.empty());

    for (var status : List.of(200, 204, 400, 401, 404, 500)) {
      var reply = http.get(url() + "/a");

      assertThat(reply.status()).isEqualTo(status);
      assertThat(reply.text()).isEqualTo(status == 204 ? "" : "answer " + status);
    }
  }

  @Test
  void postCarriesTokenAndBody() {
    var http = new HttpTransport(url -> Optional.of("secret"));

    var reply = http.post(url() + "/b?c=d", "{}".getBytes(UTF_8));

    assertThat(reply.ok()).isTrue();
    assertThat(calls).containsExactly("POST /b?c=d {}Bearer secret");
  }

  /** The token is for one address only. */
  @Test
  void redirectIsAnswerAndNotFollowed() {
    statuses.add(302);

    assertThat(new HttpTransport(url -> Optional.empty()).get(url() + "/a").status())
        .isEqualTo(302);
    assertThat(calls).hasSize(1);
  }

  @Test
  void busyServerIsAskedAgain() {
    statuses.addAll(List.of(503, 503));

    assertThat(new HttpTransport(url -> Optional.empty()).get(url() + "/a").status())
        .isEqualTo(200);
    assertThat(calls).hasSize(3);
  }

  @Test
  void closedPortNamesAddressAndRemedy() {
    server.stop(0);

    assertThatThrownBy(() -> new HttpTransport(url -> Optional.empty()).get(url() + "/a"))
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "nothing answers at "
                + url()
                + "; if the laptop cloud is down, start one with: mayfly local");
  }
}
