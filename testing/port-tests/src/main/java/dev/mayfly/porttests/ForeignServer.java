package dev.mayfly.porttests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Another user's program on a port of a laptop cloud that is down. It answers every call with 200
 * and keeps what it was sent.
 */
public final class ForeignServer implements AutoCloseable {
  /** A token of a laptop cloud's owner, which this server does not know. */
  public static final String OWNER_TOKEN = "mayfly-SECRETOWNERTOKENSECRETOWNERTOKEN";

  /** One that such a cloud derived for a machine. */
  public static final String MACHINE_TOKEN = "mayfly-17.SECRETMACHINETOKEN";

  private final HttpServer server;
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch called = new CountDownLatch(1);

  private ForeignServer(HttpServer server) {
    this.server = server;
  }

  public static ForeignServer start() throws IOException {
    var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var made = new ForeignServer(http);
    http.createContext("/", made::handle);
    http.start();
    return made;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      calls.add(
          exchange.getRequestMethod()
              + " "
              + exchange.getRequestURI()
              + " "
              + exchange.getRequestHeaders().entrySet()
              + " "
              + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      called.countDown();
      var body = "{\"proofs\":[\"00\"],\"access_token\":\"forged\"}".getBytes(UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** {@code IP:port}. */
  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  /** Without a trailing slash. */
  public String url() {
    return "http://" + address();
  }

  /** Returns when it was called at all. */
  public void awaitCall() throws InterruptedException {
    if (!called.await(60, TimeUnit.SECONDS)) throw new AssertionError("nothing called it");
  }

  /** That it was asked for its proof, and got nothing else. */
  public void assertAskedForProofOnly() {
    assertThat(calls)
        .isNotEmpty()
        .allSatisfy(call ->
            assertThat(call)
                .startsWith("GET /_mayfly/proof?nonce=")
                .doesNotContain("SECRET")
                .doesNotContain("Authorization"));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
