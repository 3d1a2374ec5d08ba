package dev.mayfly.functions.webhook;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Which addresses a deployment's webhooks may be at. Whoever may bring up a cluster names the URL,
 * and the function that calls it may be inside a network that this person does not reach.
 */
public enum WebhookReach {
  /** Addresses of the internet. */
  INTERNET,
  /** Those, and the ones of private networks. */
  PRIVATE_NETWORKS,
  /** Those, and this computer, also without TLS: a laptop's, where all are the same person's. */
  THIS_COMPUTER;

  /** How a person allows more. */
  static final String REMEDY =
      "name an address of the internet, or have the deployment allow private networks (Terraform: webhook_private_networks = true)";

  /** The bits that a block's addresses share. */
  private record Block(byte[] address, int bits) {
    static Block of(String text) {
      var parts = text.split("/");
      return new Block(InetAddress.ofLiteral(parts[0]).getAddress(), Integer.parseInt(parts[1]));
    }

    boolean has(byte[] other) {
      if (other.length != address.length) return false;
      for (var bit = 0; bit < bits; bit++)
        if (((other[bit / 8] ^ address[bit / 8]) & (0x80 >> bit % 8)) != 0) return false;
      return true;
    }
  }

  private static Block[] blocks(String... texts) {
    return Arrays.stream(texts).map(Block::of).toArray(Block[]::new);
  }

  private static final Block[] LOOPBACK = blocks("127.0.0.0/8", "::1/128");

  private static final Block[] PRIVATE =
      blocks(
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16",
          // Shared by a provider's customers.
          "100.64.0.0/10",
          "fc00::/7",
          "fec0::/10");

  /** Metadata servers are link-local; of the others, none is one receiver's. */
  private static final Block[] NEVER =
      blocks(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/3",
          "::/128",
          "fe80::/10",
          "ff00::/8",
          // Google's metadata server over IPv6.
          "fd20:ce::254/128");

  /** IPv6 addresses that stand for one of IPv4, and where in them that is. */
  private static final Block[] EMBEDDING = blocks("::/96", "64:ff9b::/96", "2002::/16");

  private static boolean isIn(byte[] address, Block... blocks) {
    return Arrays.stream(blocks).anyMatch(block -> block.has(address));
  }

  /** Why an address may not be called; empty if it may. */
  Optional<String> refusal(InetAddress address) {
    var bytes = address.getAddress();
    if (isIn(bytes, NEVER)) return Optional.of("which no webhook may be at");
    if (isIn(bytes, LOOPBACK))
      return this == THIS_COMPUTER ? Optional.empty() : Optional.of("this computer's own");
    if (isIn(bytes, PRIVATE))
      return this == INTERNET ? Optional.of("one of a private network") : Optional.empty();
    return address instanceof Inet6Address ? embedded(bytes) : Optional.empty();
  }

  private Optional<String> embedded(byte[] bytes) {
    if (!isIn(bytes, EMBEDDING)) return Optional.empty();
    var from = bytes[0] == 0x20 ? 2 : 12;
    try {
      return refusal(
          (Inet4Address) InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4)));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}
