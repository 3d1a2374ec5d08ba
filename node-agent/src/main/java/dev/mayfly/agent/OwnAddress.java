package dev.mayfly.agent;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where other machines reach this one, for a machine whose metadata does not say. */
final class OwnAddress {
  private static final Logger LOG = LoggerFactory.getLogger(OwnAddress.class);

  private OwnAddress() {}

  /**
   * The address of the interface that leads to {@code url}. Nothing is sent: a datagram socket that
   * is connected only chooses its route.
   */
  static String towards(String url) {
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
