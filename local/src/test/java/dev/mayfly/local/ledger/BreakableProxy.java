package dev.mayfly.local.ledger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Forwards connections to a server, and drops them on demand. */
final class BreakableProxy implements AutoCloseable {
  private final String host;
  private final int port;
  private final ServerSocket server;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private boolean isBroken;

  BreakableProxy(String hostAndPort) throws IOException {
    var colon = hostAndPort.lastIndexOf(':');
    host = hostAndPort.substring(0, colon);
    port = Integer.parseInt(hostAndPort.substring(colon + 1));
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        forward(server.accept());
      }
    } catch (IOException closed) {
      breakAll();
    }
  }

  private synchronized void forward(Socket near) throws IOException {
    if (isBroken) {
      near.close();
      return;
    }
    var far = new Socket(host, port);
    open.add(near);
    open.add(far);
    Thread.ofVirtual().start(() -> pump(near, far));
    Thread.ofVirtual().start(() -> pump(far, near));
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException dropped) {
      // Closing both is what there is to do.
    }
  }

  /** Drops all connections, and new ones until the work is done. */
  void breakWhile(Runnable work) {
    isBroken(true);
    breakAll();
    work.run();
    isBroken(false);
  }

  private synchronized void isBroken(boolean now) {
    isBroken = now;
  }

  private void breakAll() {
    for (var socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is gone then.
      }
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    breakAll();
  }
}
