import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Sums a vector over all ranks of a gang, in a ring: each rank listens at its own address, sends
 * what it has to the next one, and adds what the one before sends. Rank r begins with r + 1 in
 * every place, so n ranks end with n(n + 1)/2.
 *
 * <p>It reads nothing but what every task of a gang finds in its environment. Needs a JDK 17 or
 * later. An argument is for how many seconds it holds its port before it begins.
 */
final class AllReduce {
  private static final int LENGTH = 1 << 16;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(variable("MAYFLY_RANK"));
    int port = Integer.parseInt(variable("MAYFLY_COORDINATOR_PORT"));
    var hosts = List.of(variable("MAYFLY_HOSTS").split(","));
    var next = new InetSocketAddress(hosts.get((rank + 1) % hosts.size()), port);
    var vector = new long[LENGTH];
    java.util.Arrays.fill(vector, rank + 1);

    try (var server = new ServerSocket()) {
      server.bind(new InetSocketAddress(variable("MAYFLY_NODE_IP"), port));
      if (args.length > 0) Thread.sleep(Duration.ofSeconds(Long.parseLong(args[0])).toMillis());
      try (var to = connect(next);
          var from = server.accept()) {
        ring(vector, hosts.size(), to, from);
      }
    }
    long sum = vector[0];
    for (long place : vector) if (place != sum) throw new IllegalStateException("sums differ");
    System.out.printf(
        "rank %d of %d at %s:%d: %d%n",
        rank, hosts.size(), variable("MAYFLY_NODE_IP"), port, sum);
    if (rank == 0) Files.writeString(Path.of(variable("MAYFLY_OUTPUT")), sum + "\n");
  }

  /** What came in the last step goes on in the next, so that after n - 1 all have seen all. */
  private static void ring(long[] vector, int ranks, Socket to, Socket from) throws Exception {
    var out = new DataOutputStream(new java.io.BufferedOutputStream(to.getOutputStream()));
    var in = new DataInputStream(new java.io.BufferedInputStream(from.getInputStream()));
    var passing = vector.clone();
    for (int step = 1; step < ranks; step++) {
      var sent = passing;
      var sender = new Thread(() -> send(sent, out));
      sender.start();
      var came = new long[LENGTH];
      for (int i = 0; i < LENGTH; i++) came[i] = in.readLong();
      sender.join();
      for (int i = 0; i < LENGTH; i++) vector[i] += came[i];
      passing = came;
    }
  }

  private static void send(long[] numbers, DataOutputStream out) {
    try {
      for (long number : numbers) out.writeLong(number);
      out.flush();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The other rank may start a moment later. */
  private static Socket connect(InetSocketAddress peer) throws Exception {
    var deadline = Instant.now().plus(PATIENCE);
    while (true) {
      try {
        var socket = new Socket();
        socket.connect(peer, 5_000);
        return socket;
      } catch (IOException e) {
        if (Instant.now().isAfter(deadline)) throw new IOException("no peer at " + peer, e);
        Thread.sleep(100);
      }
    }
  }

  private static String variable(String name) {
    var value = System.getenv(name);
    if (value == null || value.isEmpty())
      throw new IllegalStateException(name + " is not set: run this as a task of a gang");
    return value;
  }
}
