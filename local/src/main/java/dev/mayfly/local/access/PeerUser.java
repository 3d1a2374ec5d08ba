package dev.mayfly.local.access;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Which user a connection over loopback comes from: Linux lists it with every socket. A container's
 * process is root or the user that runs it.
 */
final class PeerUser {
  private static final long ROOT = 0;
  private static final List<Path> TABLES =
      List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

  private PeerUser() {}

  /** Whether the other end is a process of this user's, or of root's. */
  static boolean isOwn(InetSocketAddress remote, InetSocketAddress local) {
    try {
      var uid = uid(remote.getPort(), local.getPort());
      return uid == ROOT || uid == (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | RuntimeException unknown) {
      return false;
    }
  }

  /** Of the socket whose own port is the remote one: the other end. -1: there is none. */
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
