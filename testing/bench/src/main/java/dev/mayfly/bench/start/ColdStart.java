package dev.mayfly.bench.start;

import dev.mayfly.porttests.GoogleEmulator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code testing/bench/run cold-start}: from the start of the platform's command to the first reply
 * that read state from Firestore, here its emulator.
 */
final class ColdStart {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PAUSE_MILLIS = 2;
  private static final String ASK =
      "GET /v1/clusters HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

  private final FunctionArchive functionArchive;
  private final String firestore;

  private ColdStart(FunctionArchive functionArchive, String firestore) {
    this.functionArchive = functionArchive;
    this.firestore = firestore;
  }

  private record Took(long wallMillis, long cpuMillis) {}

  static ColdStart of(FunctionArchive functionArchive) {
    return new ColdStart(functionArchive, GoogleEmulator.FIRESTORE.running());
  }

  /** The very first start is not counted: it reads the archive from the disk. */
  String measured(int times) throws IOException, InterruptedException {
    var all = new ArrayList<Took>();
    once();
    for (var i = 0; i < times; i++) all.add(once());
    return String.format(
        Locale.ROOT,
        "cold start of functions.zip, start of the process to the first answer that read state:"
            + " median %d ms of %s; processor time %d ms; load %s",
        median(all.stream().map(Took::wallMillis)),
        all.stream().map(Took::wallMillis).sorted().toList(),
        median(all.stream().map(Took::cpuMillis)),
        load());
  }

  private static long median(Stream<Long> values) {
    var sorted = values.sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static String load() throws IOException {
    var file = Path.of("/proc/loadavg");
    return Files.exists(file) ? Files.readString(file).split(" ")[0] : "unknown";
  }

  private Took once() throws IOException, InterruptedException {
    var port = FunctionArchive.freePort();
    var begin = System.nanoTime();
    var process =
        functionArchive.start(
            "dev.mayfly.functions.ApiFunction", port, GoogleEmulator.freshProject(), firestore);
    try {
      var answer = ask(process, port);
      var wall = System.nanoTime() - begin;
      if (!answer.startsWith("HTTP/1.1 200"))
        throw new IOException("the function answered: " + answer.lines().findFirst().orElse(""));
      return new Took(TimeUnit.NANOSECONDS.toMillis(wall), cpuMillis(process.toHandle()));
    } finally {
      process.destroy();
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
    }
  }

  private static String ask(Process process, int port) throws IOException, InterruptedException {
    var end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      try (var socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.getOutputStream().write(ASK.getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (java.net.ConnectException notYet) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    throw new IOException("no answer came; the log is function.log beside the archive");
  }

  private static long cpuMillis(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
        .flatMap(one -> one.info().totalCpuDuration().stream())
        .mapToLong(Duration::toMillis)
        .sum();
  }
}
