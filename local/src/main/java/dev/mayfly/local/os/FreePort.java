package dev.mayfly.local.os;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port on loopback that nobody has, for a process that is about to start. It is none of those
 * that Linux gives to outgoing connections (32768 and up): such a one may be taken again between
 * this look and the process's own.
 */
public final class FreePort {
  private static final int LOWEST = 20_000;
  private static final int ABOVE = 32_000;
  private static final int TRIES = 200;

  private FreePort() {}

  /** Throws if hardly any is free. */
  public static int find() throws IOException {
    for (var tries = 0; tries < TRIES; tries++) {
      var port = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE);
      try (var free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException taken) {
        // Another one, then.
      }
    }
    throw new IOException("no free port between %d and %d".formatted(LOWEST, ABOVE - 1));
  }
}
