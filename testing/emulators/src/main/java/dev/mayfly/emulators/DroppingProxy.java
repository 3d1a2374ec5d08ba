package dev.mayfly.emulators;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards bytes between functions and an emulator, and can cut all connections at once. */
final class DroppingProxy {
  private static final Logger LOG = LoggerFactory.getLogger(DroppingProxy.class);

  private final int target;
  private final ServerSocket server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private DroppingProxy(int target, ServerSocket server) {
    this.target = target;
    this.server = server;
  }

  /**
   * @param target the target port on loopback
   */
  static DroppingProxy start(int target) throws IOException {
    var proxy =
        new DroppingProxy(target, new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon().name("proxy-" + target).start(proxy::accept);
    return proxy;
  }

  String host() {
    return "127.0.0.1:" + server.getLocalPort();
  }

  /** Cuts every connection and returns their number; new connections are accepted at once. */
  int drop() {
    // Counted before closing, because closing one end of a connection closes the other.
    var cut = List.copyOf(open).stream().filter(open::remove).toList();
    cut.forEach(DroppingProxy::close);
    return cut.size();
  }

  private void accept() {
    while (true)
      try {
        join(server.accept());
      } catch (IOException e) {
        LOG.info("a connection to port {} failed: {}", target, e.getMessage());
      }
  }

  private void join(Socket near) throws IOException {
    try {
      var far = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(near);
      open.add(far);
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      Thread.ofVirtual().start(() -> pump(near, far));
      Thread.ofVirtual().start(() -> pump(far, near));
    } catch (IOException e) {
      close(near);
      throw e;
    }
  }

  private void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException cut) {
      LOG.debug("cut", cut);
    } finally {
      open.remove(from);
      open.remove(to);
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("closed already", e);
    }
  }
}
