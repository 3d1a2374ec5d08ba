package dev.mayfly.local.access;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The user at the other end of a loopback connection, from Linux's list of sockets. A container's
 * process counts as root or as the user that runs it.
 */
final class PeerUser {
  private static final long ROOT = 0;
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  private PeerUser() {}

  /** Whether the other end is a process of this user or of root. */
  static boolean isOwn(InetSocketAddress remote, InetSocketAddress local) {
    try {
      var uid = uid(remote.getPort(), local.getPort());
      return uid == ROOT || uid == (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | RuntimeException unknown) {
      return false;
    }
  }

  /**
   * The user of the socket at the other end, whose local port is {@code remote}; -1 if there is
   * none.
   */
  private static long uid(int remote, int local) throws IOException {
    var own = port(remote);
    var other = port(local);
    for (var table : TABLES) {
      if (!Files.exists(table)) continue;
      for (var line : Files.readAllLines(table)) {
        var fields = line.strip().split("\\s+");
        if (fields.length > 7 && fields[1].endsWith(own) && fields[2].endsWith(other))
          return Long.parseLong(fields[7]);
      }
    }
    return -1;
  }

  private static String port(int number) {
    return String.format(Locale.ROOT, ":%04X", number);
  }
}
