import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Starts an agent repeatedly and measures the time from its start to its first sync.
 *
 * <p>{@code java FirstSync.java PROGRAM TIMES [JAVA_OPTIONS]}: the options are for the agent only,
 * so that a first run can train its cache. The last line is {@code median_ms=N}.
 */
final class FirstSync {
  public static void main(String[] arguments) throws Exception {
    var calls = new LinkedBlockingQueue<Long>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/sync", exchange -> {
      calls.add(System.nanoTime());
      exchange.sendResponseHeaders(503, -1);
      exchange.close();
    });
    server.start();
    var millis = new long[Integer.parseInt(arguments[1])];
    try {
      for (int i = 0; i < millis.length; i++) {
        millis[i] = once(arguments, server.getAddress().getPort(), calls);
        System.out.println("start_to_first_sync_ms=" + millis[i]);
      }
    } finally {
      server.stop(0);
    }
    Arrays.sort(millis);
    System.out.println("median_ms=" + millis[millis.length / 2]);
  }

  private static long once(String[] arguments, int port, LinkedBlockingQueue<Long> calls)
      throws Exception {
    var folder = Files.createTempDirectory("mayfly-first-sync");
    var builder = new ProcessBuilder(arguments[0]).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("log").toFile());
    var variables = builder.environment();
    // An agent rejects unknown settings, and the shell may have the CLI's.
    variables.keySet().removeIf(name -> name.startsWith("MAYFLY_"));
    variables.put("MAYFLY_METADATA", "off");
    variables.put("MAYFLY_WORK_DIR", folder.resolve("work").toString());
    variables.put("MAYFLY_CLUSTER", "c");
    variables.put("MAYFLY_WORKER", "w");
    variables.put("MAYFLY_POOL", "p");
    variables.put("MAYFLY_NONCE", "n");
    variables.put("MAYFLY_WORKERS_URL", "http://127.0.0.1:" + port);
    variables.put("MAYFLY_BUCKET", "file://" + folder.resolve("bucket"));
    variables.put("MAYFLY_CPU_MILLIS", "1000");
    variables.put("MAYFLY_MEMORY_BYTES", "1000000000");
    variables.put("MAYFLY_GPU_MILLIS", "0");
    variables.put("MAYFLY_TPU_CHIPS", "0");
    if (arguments.length > 2) variables.put("JDK_JAVA_OPTIONS", arguments[2]);
    calls.clear();
    long begin = System.nanoTime();
    var agent = builder.start();
    var called = calls.poll(60, TimeUnit.SECONDS);
    // An exit writes the cache, but takes until the agent gives up on this server's 503.
    if (arguments.length > 2) agent.destroy();
    else agent.destroyForcibly();
    if (!agent.waitFor(60, TimeUnit.SECONDS)) agent.destroyForcibly().waitFor();
    if (called == null) {
      throw new AssertionError("no sync came: " + Files.readString(folder.resolve("log")));
    }
    delete(folder);
    return (called - begin) / 1_000_000;
  }

  private static void delete(Path folder) throws Exception {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList())
        Files.deleteIfExists(file);
    }
  }
}
