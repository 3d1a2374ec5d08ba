package dev.mayfly.agent.gang;

import dev.mayfly.core.model.gang.GangEnvironment;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of this machine's address that is kept for a gang until its part starts: bound, so that no
 * other program gets it, and not listening, so that a peer that comes too early is refused and
 * tries again.
 */
public final class GangPort implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(GangPort.class);

  private final int number;
  private final List<Socket> held;

  private GangPort(int number, List<Socket> held) {
    this.number = number;
    this.held = List.copyOf(held);
  }

  /**
   * The first free port from a gang's own on. Empty if none can be bound, for example because the
   * address is not this machine's.
   *
   * @param ssh whether the port of its servers of ssh must be free too
   */
  public static Optional<GangPort> free(String address, int first, boolean ssh) {
    try {
      var place = InetAddress.ofLiteral(address);
      for (var port : GangEnvironment.candidates(first)) {
        var found = bind(place, port, ssh);
        if (found.isPresent()) return found;
      }
    } catch (IllegalArgumentException e) {
      LOG.debug("no port is tried at {}", address, e);
    }
    return Optional.empty();
  }

  private static Optional<GangPort> bind(InetAddress place, int port, boolean ssh) {
    var held = new ArrayList<Socket>();
    try {
      held.add(bound(place, port));
      if (ssh) held.add(bound(place, GangEnvironment.sshPort(port)));
      return Optional.of(new GangPort(port, held));
    } catch (IOException taken) {
      held.forEach(GangPort::close);
      return Optional.empty();
    }
  }

  private static Socket bound(InetAddress place, int port) throws IOException {
    var socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(place, port));
      return socket;
    } catch (IOException e) {
      close(socket);
      throw e;
    }
  }

  public int number() {
    return number;
  }

  /** Lets the task have it; a repeat changes nothing. */
  @Override
  public void close() {
    held.forEach(GangPort::close);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.warn("port not released {}", socket, e);
    }
  }
}
