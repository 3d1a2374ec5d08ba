package dev.mayfly.bench.agents;

import dev.mayfly.bench.start.FunctionArchive;
import dev.mayfly.porttests.GoogleEmulator;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * {@code testing/bench/run open-calls}: the deployed function {@code workers} as one process with
 * the heap of its 1 GiB, as many waiting agents as one instance may have calls, and a job.
 */
final class OpenCalls {
  /** The platform's memory of an instance, from which the JVM derives its heap. */
  private static final String MEMORY = "-XX:MaxRAM=1g";

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private OpenCalls() {}

  static List<String> lines(
      FunctionArchive functionArchive, InstantSource clock, int agents, int tasks)
      throws IOException, InterruptedException, TimeoutException {
    var host = GoogleEmulator.FIRESTORE.running();
    var project = GoogleEmulator.freshProject();
    var port = FunctionArchive.freePort();
    var leaseArrivals = new LeaseArrivals();
    var url = URI.create("http://127.0.0.1:" + port + "/v1/sync");
    var function =
        functionArchive
            .withOptions(MEMORY)
            .start("dev.mayfly.functions.WorkersFunction", port, project, host);
    try (var benchCluster = new BenchCluster(host, clock, agents, leaseArrivals, project, url)) {
      var lines = new ArrayList<String>();
      var begun = System.nanoTime();
      benchCluster.awaitAnswers();
      lines.add(
          "%,d agents greeted by one instance of workers after %.1f s; open connections %,d"
              .formatted(agents, (System.nanoTime() - begun) / 1e9, connections(port)));
      leaseArrivals.expect(tasks);
      var accepted = System.nanoTime();
      benchCluster.submit("bench", tasks);
      if (!leaseArrivals.await(LIMIT))
        throw new TimeoutException("not all tasks leased after 120 s: " + leaseArrivals);
      lines.add("a job of %,d tasks:".formatted(tasks));
      lines.addAll(leaseArrivals.lines(accepted));
      lines.add("the instance then: " + memory(function));
      return lines;
    } finally {
      function.destroy();
      if (!function.waitFor(10, TimeUnit.SECONDS)) function.destroyForcibly();
    }
  }

  /** Established connections on the function's side, as the kernel lists them. */
  private static long connections(int port) throws IOException {
    var local = ":%04X ".formatted(port);
    var found = 0L;
    for (var table : List.of("/proc/net/tcp", "/proc/net/tcp6"))
      try (var lines = Files.lines(Path.of(table))) {
        found +=
            lines.filter(l -> l.substring(0, 45).contains(local) && l.contains(" 01 ")).count();
      }
    return found;
  }

  /** The memory of the function and its child processes. */
  private static String memory(Process function) throws IOException {
    var all = Stream.concat(Stream.of(function.toHandle()), function.descendants()).toList();
    var told = new ArrayList<String>();
    for (var one : all)
      try (var lines = Files.lines(Path.of("/proc/" + one.pid() + "/status"))) {
        lines
            .filter(l -> l.startsWith("VmHWM") || l.startsWith("Threads"))
            .map(l -> l.replaceAll("\\s+", " "))
            .forEach(told::add);
      }
    return String.join(", ", told);
  }
}
