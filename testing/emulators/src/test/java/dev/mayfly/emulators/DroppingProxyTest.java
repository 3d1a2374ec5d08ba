package dev.mayfly.emulators;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class DroppingProxyTest {
  @Test
  void proxyDropsConnectionsAndAcceptsNewOnes() throws Exception {
    try (var echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> serve(echo));
      var proxy = DroppingProxy.start(echo.getLocalPort());

      try (var first = connect(proxy)) {
        assertThat(echoed(first, 7)).isEqualTo(7);
        assertThat(proxy.drop()).as("this end and the far one").isEqualTo(2);
        assertThat(first.getInputStream().read()).as("cut").isEqualTo(-1);
      }
      try (var second = connect(proxy)) {
        assertThat(echoed(second, 9)).isEqualTo(9);
      }
    }
  }

  @Test
  void connectionWithoutListenerEndsAtOnce() throws Exception {
    int nobody;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = free.getLocalPort();
    }
    try (var socket = connect(DroppingProxy.start(nobody))) {
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static Socket connect(DroppingProxy proxy) throws IOException {
    var port = Integer.parseInt(proxy.host().substring(proxy.host().indexOf(':') + 1));
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  private static int echoed(Socket socket, int sent) throws IOException {
    socket.getOutputStream().write(sent);
    return socket.getInputStream().read();
  }

  private static void serve(ServerSocket echo) {
    try {
      while (true) {
        var socket = echo.accept();
        Thread.ofVirtual()
            .start(() -> {
              try (socket) {
                socket.getInputStream().transferTo(socket.getOutputStream());
              } catch (IOException cut) {
                Thread.currentThread().interrupt();
              }
            });
      }
    } catch (IOException closed) {
      Thread.currentThread().interrupt();
    }
  }
}
