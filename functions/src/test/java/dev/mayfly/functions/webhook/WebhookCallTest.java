package dev.mayfly.functions.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A receiver that does not answer is left alone for a while, so that others are called in time. */
class WebhookCallTest {
  private static final String PAUSED = "it is called again at 2026-01-31T10:01:00Z";

  private Instant now = Instant.parse("2026-01-31T10:00:00Z");
  private final WebhookCall call = new WebhookCall(WebhookReach.THIS_COMPUTER, () -> now);
  private InetSocketAddress address;

  /** A port at which nobody listens. */
  @BeforeEach
  void choosePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }

  private int post(String path) {
    var url = URI.create("http://127.0.0.1:%d%s".formatted(address.getPort(), path));
    return call.post(url, Map.of(), new byte[0]);
  }

  private void assertCalled() {
    assertThatThrownBy(() -> post("/hook"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("no answer from 127.0.0.1: ");
  }

  private void assertLeftAlone(String until) {
    assertThatThrownBy(() -> post("/hook"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("no answer from 127.0.0.1 in")
        .hasMessageContaining(until);
  }

  @Test
  void deadReceiverIsTriedOnceAMinute() {
    for (var i = 0; i < UnreachableReceivers.FEW; i++) assertCalled();
    assertLeftAlone(PAUSED);

    now = now.plus(UnreachableReceivers.PAUSE);
    assertCalled();
    assertLeftAlone("it is called again at 2026-01-31T10:02:00Z");
  }

  @Test
  void receiverThatAnswersAgainIsCalledAtOnce() throws IOException {
    for (var i = 0; i < UnreachableReceivers.FEW; i++) assertCalled();
    now = now.plus(UnreachableReceivers.PAUSE);
    var server = HttpServer.create(address, 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(204, -1);
          }
        });
    server.start();
    try {
      assertThat(post("/hook")).isEqualTo(204);
      assertThat(post("/hook")).isEqualTo(204);
    } finally {
      server.stop(0);
    }
    assertCalled();
  }

  @Test
  void otherReceiversAreCalled() {
    for (var i = 0; i < UnreachableReceivers.FEW; i++) assertCalled();

    assertThatThrownBy(() -> post("/other"))
        .hasMessageContaining("no answer from 127.0.0.1: ")
        .message()
        .doesNotContain(PAUSED);
  }
}
