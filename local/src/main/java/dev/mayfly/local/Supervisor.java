package dev.mayfly.local;

import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.cloud.CloudMain;
import dev.mayfly.local.control.ControlMain;
import dev.mayfly.local.machines.MachineProcesses;
import dev.mayfly.local.os.ChildProcess;
import dev.mayfly.local.os.CloudFolderLock;
import dev.mayfly.local.os.PrivateFolder;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts the two processes of the laptop cloud, publishes their URLs, and restarts them when they
 * die.
 */
final class Supervisor implements AutoCloseable {
  /** Generous, because the machine may be busy, and emulators mean ten processes. */
  private static final Duration READY = Duration.ofSeconds(240);

  private static final long PAUSE_MILLIS = 300;
  private static final int HEAP_MEGABYTES = 512;

  /** How long an orderly end may take, and then the end of what is left. */
  private static final Duration ORDERLY = Duration.ofSeconds(20);

  private static final Duration SWEEP = Duration.ofSeconds(10);
  private static final Duration PROCESS_END = Duration.ofSeconds(5);

  private final LocalOptions options;
  private final PrintStream out;
  private final Map<LocalOptions.Part, Process> processes = new EnumMap<>(LocalOptions.Part.class);
  private final Map<LocalOptions.Part, StartLog> logs = new EnumMap<>(LocalOptions.Part.class);
  private final CountDownLatch over = new CountDownLatch(1);
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile boolean closing;
  private volatile int result;

  Supervisor(LocalOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Returns when both processes serve; {@link #close} ends it at any time. */
  void start() throws IOException {
    PrivateFolder.ensure(options.home());
    Files.createDirectories(options.home().resolve("logs"));
    try {
      begin();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void begin() throws IOException {
    var parts = options.only().map(List::of).orElse(List.of(LocalOptions.Part.values()));
    for (var part : parts) checkPort(part);
    if (options.only().isEmpty()) renewToken();
    // The order matters: the control plane reads the URLs of the cloud's services.
    for (var part : parts) {
      launch(part);
      awaitReady(part);
    }
    writeEndpoints();
    out.printf(
        "The laptop cloud is up. cloud http://127.0.0.1:%d, control plane http://127.0.0.1:%d, all"
            + " that it keeps: %s%n",
        options.port(), options.port() + 1, options.home());
    var typed = System.getenv().getOrDefault("MAYFLY_COMMAND", "mayfly");
    out.printf("Try, in another terminal: %s status. Ctrl-C ends it, machines included.%n", typed);
    out.flush();
  }

  /**
   * So that a token that leaked is of no use from now on. A cloud that still runs keeps its own.
   */
  private void renewToken() throws IOException {
    var folder = PrivateFolder.ensure(options.home().resolve("cloud"));
    try (var _ = CloudFolderLock.take(folder)) {
      OwnerToken.renew(options.home());
    }
  }

  private int port(LocalOptions.Part part) {
    return options.port() + (part == LocalOptions.Part.CLOUD ? 0 : 1);
  }

  private void checkPort(LocalOptions.Part part) throws IOException {
    try (var free = new ServerSocket(port(part), 1, InetAddress.getLoopbackAddress())) {
      free.setReuseAddress(true);
    } catch (IOException taken) {
      throw new IOException(
          "port %d is taken, by another `mayfly local` perhaps; end that one, or choose another with --port N"
              .formatted(port(part)),
          taken);
    }
  }

  private synchronized void launch(LocalOptions.Part part) throws IOException {
    if (closing) throw new IOException("it is ending");
    var log = log(part).toFile();
    var builder = new ProcessBuilder(ChildProcess.inOwnSession(command(part)));
    builder.environment().putAll(PartEnvironment.of(options, part));
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.redirectErrorStream(true);
    logs.put(part, StartLog.now(log.toPath()));
    var process = builder.start();
    processes.put(part, process);
    var _ = process.onExit().thenAccept(p -> ended(part, p));
  }

  private List<String> command(LocalOptions.Part part) {
    if (part == LocalOptions.Part.CLOUD)
      return ChildProcess.command(HEAP_MEGABYTES, CloudMain.class.getName());
    return options
        .emulators()
        .map(it -> ChildProcess.on(it.classPath(), HEAP_MEGABYTES, EmulatorsModule.MAIN))
        .orElseGet(() -> ChildProcess.command(HEAP_MEGABYTES, ControlMain.class.getName()));
  }

  private Path log(LocalOptions.Part part) {
    return options.home().resolve("logs/" + name(part) + ".log");
  }

  private static String name(LocalOptions.Part part) {
    return part == LocalOptions.Part.CLOUD ? "cloud" : "control";
  }

  private void awaitReady(LocalOptions.Part part) throws IOException {
    var path = part == LocalOptions.Part.CLOUD ? "/_sim/state" : "/api/v1/health";
    for (var tries = 0; tries < READY.toMillis() / 50; tries++) {
      var process = processes.get(part);
      if (process == null || !process.isAlive()) break;
      try {
        var request = request("http://127.0.0.1:" + port(part) + path, Duration.ofSeconds(5));
        if (client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode()
            == 200) {
          for (var warning : started(part).warnings())
            out.printf("warning: the %s: %s%n", name(part), warning);
          return;
        }
        process.waitFor(50, TimeUnit.MILLISECONDS);
      } catch (IOException notYet) {
        pause(process);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while starting", e);
      }
    }
    throw new IOException(
        "the %s did not come up: %s; the whole log: %s"
            .formatted(name(part), why(part), log(part)));
  }

  /** Adds the token, once what listens there has proven to be a process of this cloud. */
  private HttpRequest.Builder request(String url, Duration limit) throws IOException {
    var token = OwnerToken.read(options.home()).text();
    ProvenServers.shared().connect(url, token);
    return HttpRequest.newBuilder(URI.create(url))
        .timeout(limit)
        .header("Authorization", "Bearer " + token);
  }

  private static void pause(Process process) throws IOException {
    try {
      process.waitFor(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", e);
    }
  }

  private synchronized StartLog started(LocalOptions.Part part) {
    return logs.getOrDefault(part, new StartLog(log(part), 0));
  }

  private String why(LocalOptions.Part part) throws IOException {
    var process = processes.get(part);
    return process == null ? "it was not started" : started(part).reason(process);
  }

  /** Writes the endpoints file. */
  private synchronized void writeEndpoints() throws IOException {
    var before = LocalEndpoints.before(options.home());
    var cloud = processes.get(LocalOptions.Part.CLOUD);
    var control = processes.get(LocalOptions.Part.CONTROL);
    LocalEndpoints.of(
            options.port(),
            options.emulators().isPresent(),
            cloud == null ? before.map(LocalEndpoints::cloudPid).orElse(0L) : cloud.pid(),
            control == null ? before.map(LocalEndpoints::controlPid).orElse(0L) : control.pid())
        .write(options.home());
  }

  private void ended(LocalOptions.Part part, Process process) {
    var now = processes.get(part);
    if (closing || now == null || now.pid() != process.pid()) return;
    var again = options.restart();
    out.printf(
        "The %s ended (exit code %d)%s%n",
        name(part),
        process.exitValue(),
        again ? "; restarting it." : ". Restart it with: mayfly local --only " + name(part));
    out.flush();
    try {
      if (!again) {
        if (processes.values().stream().noneMatch(Process::isAlive)) end(1);
        return;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      launch(part);
      awaitReady(part);
      writeEndpoints();
    } catch (IOException e) {
      out.println("mayfly local: " + e.getMessage());
      end(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(int code) {
    result = code;
    over.countDown();
  }

  int await() throws InterruptedException {
    over.await();
    return result;
  }

  /**
   * Ends the control plane, powers the machines off and ends the cloud, in a minute at most. What
   * the cloud does not end in time, or no longer can, is ended here; what cannot be ended is said.
   */
  @Override
  public synchronized void close() {
    if (closing) return;
    closing = true;
    stop(processes.get(LocalOptions.Part.CONTROL), PROCESS_END);
    if (!processes.containsKey(LocalOptions.Part.CLOUD)) return;
    powerOff();
    stop(processes.get(LocalOptions.Part.CLOUD), PROCESS_END);
    sweep();
    out.flush();
  }

  /** Ends the machines without their cloud, unless another cloud has taken the folder over. */
  private void sweep() {
    var folder = options.home().resolve("cloud");
    try (var _ = CloudFolderLock.take(folder)) {
      for (var left : new MachineProcesses(folder).endAll(SWEEP).entrySet())
        out.printf(
            "Machine %s did not end: its processes %s. End them with kill -9; the next `mayfly local` tries again.%n",
            left.getKey(), left.getValue());
    } catch (IOException another) {
      out.println("Its machines are left alone: " + another.getMessage());
    }
  }

  /** Has the cloud delete every machine, and waits until their processes are gone. */
  private void powerOff() {
    var deadline = System.nanoTime() + ORDERLY.toNanos();
    try {
      call("/_sim/vms/*/delete", "POST", deadline);
      while (System.nanoTime() < deadline
          && call("/_sim/state", "GET", deadline).contains("\"name\""))
        TimeUnit.MILLISECONDS.sleep(100);
    } catch (IOException gone) {
      // The cloud is gone, or too busy: its machines are ended without it.
      out.println("The cloud does not answer; its machines are ended without it.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String call(String path, String method, long deadline)
      throws IOException, InterruptedException {
    var left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    var request =
        request("http://127.0.0.1:" + options.port() + path, left)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static void stop(@Nullable Process process, Duration limit) {
    if (process == null) return;
    process.destroy();
    try {
      if (!process.waitFor(limit)) process.destroyForcibly().waitFor(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
