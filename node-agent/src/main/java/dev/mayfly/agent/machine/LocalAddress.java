package dev.mayfly.agent.machine;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where other machines reach this one, for a machine whose metadata does not say. */
public final class LocalAddress {
  private static final Logger LOG = LoggerFactory.getLogger(LocalAddress.class);

  private LocalAddress() {}

  /**
   * The address of the interface that leads to {@code url}. Nothing is sent: a datagram socket that
   * is connected only chooses its route.
   */
  public static String towards(String url) {
    var target = URI.create(url);
    int port = target.getPort() > 0 ? target.getPort() : 443;
    try (var socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(target.getHost()), port));
      return plain(socket.getLocalAddress());
    } catch (IOException | RuntimeException e) {
      LOG.warn("no route to {}: own address unknown, set MAYFLY_ADDRESS if gangs run here", url, e);
      return "";
    }
  }

  /** Without the interface's name behind an address of version 6. */
  private static String plain(InetAddress address) {
    return address.isAnyLocalAddress() ? "" : address.getHostAddress().replaceFirst("%.*", "");
  }
}
