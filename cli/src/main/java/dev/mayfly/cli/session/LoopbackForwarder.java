package dev.mayfly.cli.session;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.Screen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Forwards connections from this computer's loopback address to a simulated machine's address. What
 * listens on 127.0.0.1 in the machine listens on this computer's, so that is tried second.
 */
final class LoopbackForwarder {
  private static final int CONNECT_MILLIS = 5_000;
  private static final long LOOK_NANOS = 1_000_000_000;

  private final Screen screen;
  private final String address;

  LoopbackForwarder(Screen screen, String address) {
    this.screen = screen;
    this.address = address;
  }

  /**
   * Forwards until the process is interrupted or the machine is off.
   *
   * @param off asked about once a second
   * @return the exit code
   */
  int forward(List<PortPair> ports, BooleanSupplier off) {
    var servers = new ArrayList<ServerSocket>();
    try {
      for (var pair : ports) servers.add(listen(pair));
      for (var i = 0; i < servers.size(); i++) {
        var server = servers.get(i);
        var pair = ports.get(i);
        screen.note(
            "forwarding 127.0.0.1:%d to %s:%d"
                .formatted(server.getLocalPort(), address, pair.remote()));
        Thread.ofVirtual().start(() -> accept(server, pair.remote()));
      }
      while (!off.getAsBoolean()) LockSupport.parkNanos(LOOK_NANOS);
      screen.note("the machine has ended, and so has the forwarding");
      return CommandExitCode.UNAVAILABLE.code();
    } finally {
      servers.forEach(LoopbackForwarder::close);
    }
  }

  private static ServerSocket listen(PortPair pair) {
    try {
      return new ServerSocket(pair.local(), 50, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw CommandException.input(
          "port %1$d of this computer cannot be taken (%2$s); simulated machines share its ports, so"
                  .formatted(pair.local(), e.getMessage())
              + " name another, such as %d:%d"
                  .formatted(Math.min(pair.local() + 10_000, 65_000), pair.remote()),
          e);
    }
  }

  private void accept(ServerSocket server, int port) {
    while (!server.isClosed()) {
      try {
        var near = server.accept();
        Thread.ofVirtual().start(() -> connect(near, port));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket near, int port) {
    try (near;
        var far = open(near, port)) {
      var back = Thread.ofVirtual().start(() -> pump(far, near));
      pump(near, far);
      back.join();
    } catch (IOException e) {
      screen.note("port " + port + " of the machine does not answer: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket open(Socket near, int port) throws IOException {
    try {
      return to(address, port);
    } catch (IOException refused) {
      // This would be the forwarder itself.
      if (near.getLocalPort() == port || address.equals("127.0.0.1")) throw refused;
      return to("127.0.0.1", port);
    }
  }

  private static Socket to(String host, int port) throws IOException {
    var socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Copies one direction, and ends it as it ended: the other may go on. */
  private static void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException broken) {
      close(from);
      close(to);
    }
  }

  private static void close(java.io.Closeable socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // It is closed already.
      return;
    }
  }
}
