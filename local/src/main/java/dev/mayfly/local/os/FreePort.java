package dev.mayfly.local.os;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A free loopback port for a process that is about to start. Avoids Linux's range for outgoing
 * connections (32768 and up), where another connection could take the port before the process does.
 */
public final class FreePort {
  private static final int LOWEST = 20_000;
  private static final int ABOVE = 32_000;
  private static final int MAX_TRIES = 200;

  private FreePort() {}

  /** Throws if almost no port is free. */
  public static int find() throws IOException {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var port = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE);
      try (var free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (BindException taken) {
        // Try another port.
      }
    }
    throw new IOException("no free port between %d and %d".formatted(LOWEST, ABOVE - 1));
  }
}
