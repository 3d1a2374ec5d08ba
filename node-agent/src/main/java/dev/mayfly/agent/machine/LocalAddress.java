package dev.mayfly.agent.machine;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Determines this machine's address where the metadata does not name it. */
public final class LocalAddress {
  private static final Logger LOG = LoggerFactory.getLogger(LocalAddress.class);

  private LocalAddress() {}

  /**
   * The address of the interface that routes to {@code url}. Sends nothing: connecting a datagram
   * socket only selects a route.
   */
  public static String towards(String url) {
    var target = URI.create(url);
    int port = target.getPort() > 0 ? target.getPort() : 443;
    try (var socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(target.getHost()), port));
      return plain(socket.getLocalAddress());
    } catch (IOException | RuntimeException e) {
      LOG.warn("no route to {}: address unknown, set MAYFLY_ADDRESS if gangs run here", url, e);
      return "";
    }
  }

  /** Removes the interface name from an IPv6 address. */
  private static String plain(InetAddress address) {
    return address.isAnyLocalAddress() ? "" : address.getHostAddress().replaceFirst("%.*", "");
  }
}
