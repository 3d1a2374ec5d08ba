package dev.mayfly.wire.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProvenServersTest {
  private static final String TOKEN = "mayfly-the-owners-own";

  private final AtomicLong nanos = new AtomicLong();
  private final ProvenServers servers = new ProvenServers(nanos::get);
  private final List<HttpServer> running = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    running.forEach(server -> server.stop(0));
  }

  /**
   * @param answer to the query of a question
   */
  private String server(Function<String, String> answer) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            asked.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().entrySet());
            var body = answer.apply(exchange.getRequestURI().getRawQuery()).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
    running.add(server);
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static String nonce(String query) {
    return query.replaceFirst("nonce=([^&]*)&.*", "$1");
  }

  private static String address(String url) {
    return url.substring("http://".length());
  }

  /** A server that knows a token. */
  private String honest(String token) throws IOException {
    var own = new CopyOnWriteArrayList<String>();
    var url =
        server(query ->
            "{\"proofs\":[\"other\",\"%s\"]}"
                .formatted(ServerProof.of(token, own.getFirst(), nonce(query))));
    own.add(address(url));
    return url;
  }

  @Test
  void serverThatKnowsTheTokenIsProven() throws Exception {
    servers.require(honest(TOKEN) + "/api/v1/clusters", TOKEN);

    assertThat(asked).hasSize(1).allSatisfy(call -> assertThat(call).doesNotContain(TOKEN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "[]",
        "{\"proofs\":[]}",
        "{\"proofs\":[\"\"]}",
        "{\"proofs\":[\"é\"]}",
        "<html>",
        "{\"proofs\":[\"0000000000000000000000000000000000000000000000000000000000000000\"]}"
      })
  void anotherProgramIsNot(String answer) throws Exception {
    var url = server(query -> answer);

    assertThatThrownBy(() -> servers.require(url, TOKEN))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("another program answers at " + address(url))
        .hasMessageContaining("start one with: mayfly local");
    assertThat(asked).hasSize(1).allSatisfy(call -> assertThat(call).doesNotContain(TOKEN));
  }

  /** It passes the question on to the real server, which answers for its own address. */
  @Test
  void programInBetweenIsNotProven() throws Exception {
    var real = address(honest(TOKEN));
    var between =
        server(
            query -> "{\"proofs\":[\"%s\"]}".formatted(ServerProof.of(TOKEN, real, nonce(query))));

    assertThatThrownBy(() -> servers.require(between, TOKEN))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void proofIsGoodForASecond() throws Exception {
    var url = honest(TOKEN);

    servers.require(url, TOKEN);
    nanos.addAndGet(Duration.ofMillis(999).toNanos());
    servers.require(url, TOKEN);
    assertThat(asked).hasSize(1);
    nanos.addAndGet(Duration.ofMillis(1).toNanos());
    servers.require(url, TOKEN);
    assertThat(asked).hasSize(2);
  }

  @Test
  void proofOfOneTokenIsNoneOfAnother() throws Exception {
    var url = honest(TOKEN);
    servers.require(url, TOKEN);

    assertThatThrownBy(() -> servers.require(url, "mayfly-another-owners"))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void derivedTokenNamesItsHolder() throws Exception {
    var machine = "mayfly-17.0af3";

    servers.require(honest(machine), machine);

    assertThat(asked).allSatisfy(call -> assertThat(call).contains("holder=17 "));
  }

  @Test
  void onlyTokensOfLocalLaptopCloudsAreChecked() throws Exception {
    servers.check("https://storage.googleapis.com", TOKEN);
    servers.check("http://10.0.2.2:8420", TOKEN);
    servers.check(server(query -> ""), "ya29.of-google");
    servers.check(server(query -> ""), "");

    assertThat(asked).isEmpty();
    assertThatThrownBy(() -> servers.require("http://10.0.2.2:8420", TOKEN))
        .hasMessageContaining("not on this machine");
    assertThatThrownBy(() -> servers.require("http://127.0.0.1@evil.example/", TOKEN))
        .hasMessageContaining("not on this machine");
  }

  @Test
  void nobodyAtTheAddressIsAFailedConnection() {
    assertThatThrownBy(() -> servers.connect("http://127.0.0.1:1/x", TOKEN))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("nothing answers at 127.0.0.1:1");
  }
}
