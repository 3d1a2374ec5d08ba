package dev.mayfly.functions.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What receivers get, and answers of every kind. */
@Timeout(120)
class WebhookReceiverTest {
  private static final Instant NOW = Instant.parse("2026-01-31T10:00:00Z");
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path folder;

  private static WebhookCall call(SSLContext tls) {
    return new WebhookCall(
        WebhookReach.THIS_COMPUTER,
        host -> new InetAddress[] {InetAddress.getLoopbackAddress()},
        tls.getSocketFactory(),
        () -> NOW);
  }

  /** A context that has, and trusts, a certificate of its own for the host. */
  private SSLContext certified(String host) throws Exception {
    var store = folder.resolve("keys");
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
            "-genkeypair",
            "-alias",
            "a",
            "-keyalg",
            "EC",
            "-dname",
            "CN=test",
            "-ext",
            "san=dns:" + host,
            "-keystore",
            store.toString(),
            "-storepass",
            "changeit");
    var keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD);
    var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  @Test
  void receiverIsTheHostOfTheUrl() throws Exception {
    var tls = certified("hooks.test");
    var heard = new CopyOnWriteArrayList<String>();
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            heard.add(
                exchange.getRequestMethod()
                    + " "
                    + exchange.getRequestURI()
                    + " "
                    + exchange.getRequestHeaders().getFirst("Host")
                    + " "
                    + exchange.getRequestHeaders().getFirst("webhook-id")
                    + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.getResponseHeaders().add("Location", "https://hooks.test/elsewhere");
            exchange.sendResponseHeaders(307, 0);
          }
        });
    server.start();
    try {
      var port = server.getAddress().getPort();
      var url = URI.create("https://hooks.test:%d/a%%20b?c=d".formatted(port));
      var body = "{\"é\":1}".getBytes(UTF_8);

      assertThat(call(tls).post(url, Map.of("webhook-id", "e-1"), body)).isEqualTo(307);
      assertThat(heard)
          .containsExactly("POST /a%%20b?c=d hooks.test:%d e-1 {\"é\":1}".formatted(port));

      var other = URI.create("https://other.test:%d/".formatted(port));
      assertThatThrownBy(() -> call(tls).post(other, Map.of(), body))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("SSLHandshakeException");
      assertThat(heard).hasSize(1);
    } finally {
      server.stop(0);
    }
  }

  private static int answered(String answer) throws Exception {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var receiver =
          CompletableFuture.runAsync(() -> {
            try (var socket = server.accept()) {
              var in = socket.getInputStream();
              // The head ends with an empty line, and the body has two bytes.
              for (var end = 0; end < 4; ) {
                var next = in.read();
                end = next == '\r' || next == '\n' ? end + 1 : 0;
              }
              var unused = in.readNBytes(2);
              socket.getOutputStream().write(answer.getBytes(UTF_8));
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      var url = URI.create("http://127.0.0.1:%d/".formatted(server.getLocalPort()));
      try {
        return new WebhookCall(WebhookReach.THIS_COMPUTER, () -> NOW)
            .post(url, Map.of(), "{}".getBytes(UTF_8));
      } finally {
        receiver.join();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP/1.1 204 No Content|, 204",
    "HTTP/1.0 200|, 200",
    "HTTP/1.1 302 Found|Location: /x|, 302",
    "HTTP/1.1 100 Continue||HTTP/1.1 200 OK|, 200",
    "HTTP/1.1 103 Early Hints|Link: </x>||HTTP/1.1 503 Busy|, 503"
  })
  void statusIsTheAnswers(String answer, int status) throws Exception {
    assertThat(answered(answer.replace("|", "\r\n") + "\r\n")).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "HTTP/1.1",
    "SSH-2.0-OpenSSH_9.2|",
    "HTTP/1.1 99 Odd|",
    "HTTP/1.1 2000 Odd|",
    "HTTP/1.1 100 Continue||",
    "HTTP/2 200|"
  })
  void otherAnswersAreNone(String answer) {
    assertThatThrownBy(() -> answered(answer.replace("|", "\r\n")))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("no answer from 127.0.0.1: IOException");
  }

  @Test
  void answerWithoutEndIsGivenUp() {
    assertThatThrownBy(() -> answered("HTTP/1.1 100 Continue\r\n" + "a: b\r\n".repeat(10_000)))
        .isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> answered("x".repeat(100_000)))
        .isInstanceOf(UnavailableException.class);
  }
}
