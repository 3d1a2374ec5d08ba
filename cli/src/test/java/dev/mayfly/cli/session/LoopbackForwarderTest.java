package dev.mayfly.cli.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.error.CommandException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forwarding to an address of the loopback network, with real sockets. */
@Timeout(60)
class LoopbackForwarderTest {
  private static final String MACHINE = "127.251.77.1";

  private final LinkedBlockingQueue<String> notes = new LinkedBlockingQueue<>();
  private final CountDownLatch off = new CountDownLatch(1);

  @Test
  void bothDirectionsPassAndEndByThemselves() throws Exception {
    try (var server = new ServerSocket(0, 5, InetAddress.getByName(MACHINE))) {
      var ended = forward(server.getLocalPort());
      try (var client = new Socket("127.0.0.1", port());
          var inside = server.accept()) {
        client.getOutputStream().write("question".getBytes(UTF_8));
        client.shutdownOutput();
        assertThat(new String(inside.getInputStream().readAllBytes(), UTF_8)).isEqualTo("question");
        inside.getOutputStream().write("answer".getBytes(UTF_8));
        inside.shutdownOutput();
        assertThat(new String(client.getInputStream().readAllBytes(), UTF_8)).isEqualTo("answer");
      }
      off.countDown();
      assertThat(ended.get()).isEqualTo(75);
    }
  }

  @Test
  void serverOnLoopbackAloneIsReached() throws Exception {
    try (var server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      var ended = forward(server.getLocalPort());
      try (var client = new Socket("127.0.0.1", port());
          var inside = server.accept()) {
        inside.getOutputStream().write('x');
        assertThat(client.getInputStream().read()).isEqualTo('x');
      }
      off.countDown();
      ended.get();
    }
  }

  @Test
  void silentPortEndsConnectionWithNote() throws Exception {
    int free;
    try (var server = new ServerSocket(0, 5, InetAddress.getByName(MACHINE))) {
      free = server.getLocalPort();
    }
    var ended = forward(free);
    try (var client = new Socket("127.0.0.1", port())) {
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(notes.take()).contains("port " + free + " of the machine does not answer");
    off.countDown();
    ended.get();
  }

  @Test
  void takenLocalPortIsRefusedWithAnother() throws Exception {
    try (var taken = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      var pair = new PortPair(taken.getLocalPort(), 80);

      assertThatThrownBy(() -> forwarder().forward(List.of(pair), () -> true))
          .isInstanceOf(CommandException.class)
          .hasMessageContaining(
              "port " + taken.getLocalPort() + " of this computer cannot be taken")
          .hasMessageContaining(":80");
    }
  }

  private LoopbackForwarder forwarder() {
    var stream =
        new PrintStream(OutputStream.nullOutputStream(), true, UTF_8) {
          @Override
          public void println(String line) {
            notes.add(line);
          }
        };
    return new LoopbackForwarder(TestScreen.plain(stream, stream, 80), MACHINE);
  }

  private CompletableFuture<Integer> forward(int remote) {
    return CompletableFuture.supplyAsync(
        () -> forwarder().forward(List.of(new PortPair(0, remote)), () -> off.getCount() == 0));
  }

  /** The local port, as the first note tells it. */
  private int port() throws InterruptedException {
    return Integer.parseInt(notes.take().replaceFirst("forwarding 127.0.0.1:(\\d+) to .*", "$1"));
  }
}
