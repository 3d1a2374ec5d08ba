package dev.mayfly.bench.agents;

import dev.mayfly.bench.start.Archive;
import dev.mayfly.porttests.Emulator;
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
 * {@code bench/run open-calls}: the deployed function {@code workers} as one process with the heap
 * of its 1 GiB, as many agents waiting at it as one instance is allowed calls, and a job.
 */
final class OpenCalls {
  /** What the platform gives an instance: its share of it is the heap. */
  private static final String MEMORY = "-XX:MaxRAM=1g";

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private OpenCalls() {}

  static List<String> lines(Archive archive, InstantSource clock, int agents, int tasks)
      throws IOException, InterruptedException, TimeoutException {
    var host = Emulator.FIRESTORE.running();
    var project = Emulator.freshProject();
    var port = Archive.freePort();
    var leases = new Leases();
    var url = URI.create("http://127.0.0.1:" + port + "/v1/sync");
    var function = archive.with(MEMORY).start("dev.mayfly.functions.Workers", port, project, host);
    try (var scene = new Scene(host, clock, agents, leases, project, url)) {
      var lines = new ArrayList<String>();
      var begun = System.nanoTime();
      scene.greet();
      lines.add(
          "%,d agents greeted by one instance of workers after %.1f s; open connections %,d"
              .formatted(agents, (System.nanoTime() - begun) / 1e9, connections(port)));
      leases.expect(tasks);
      var accepted = System.nanoTime();
      scene.submit("bench", tasks);
      if (!leases.await(LIMIT))
        throw new TimeoutException("not all tasks leased after 120 s: " + leases);
      lines.add("a job of %,d tasks:".formatted(tasks));
      lines.addAll(leases.lines(accepted));
      lines.add("the instance then: " + memory(function));
      return lines;
    } finally {
      function.destroy();
      if (!function.waitFor(10, TimeUnit.SECONDS)) function.destroyForcibly();
    }
  }

  /** Established ones of the function's side, as the kernel lists them. */
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

  /** Of the function with the processes that it started. */
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
