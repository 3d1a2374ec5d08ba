package dev.mayfly.emulators;

import dev.mayfly.local.os.ChildProcess;
import dev.mayfly.local.os.ProcessSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance of a function: a process that is restarted on the same port when it dies. */
final class FunctionProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FunctionProcess.class);
  private static final long PAUSE_MILLIS = 200;

  private final String name;
  private final String target;
  private final int port;
  private final Map<String, String> environment;
  private final Path log;
  private @Nullable Process process;
  private boolean closed;

  /**
   * @param target the function's class
   */
  FunctionProcess(
      String name, String target, int port, Map<String, String> environment, Path logs) {
    this.name = name;
    this.target = target;
    this.port = port;
    this.environment = environment;
    this.log = logs.resolve("function-" + name + ".log");
  }

  String name() {
    return name;
  }

  int port() {
    return port;
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  synchronized void start() throws IOException {
    var builder = new ProcessBuilder(command());
    builder.environment().keySet().removeIf(key -> key.startsWith("MAYFLY_"));
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    var started = builder.start();
    process = started;
    var _ = started.onExit().thenRunAsync(this::restart, later());
  }

  private static Executor later() {
    return CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void restart() {
    if (closed) return;
    try {
      LOG.info("{} ended; restarting it", name);
      start();
    } catch (IOException e) {
      LOG.error("{} cannot be restarted: {}", name, e.getMessage());
    }
  }

  /** Kills the process with SIGKILL and returns it. */
  synchronized Process kill() {
    var victim = process;
    if (victim == null) throw new IllegalStateException(name + " was never started");
    return victim.destroyForcibly();
  }

  /** Suspends the process with SIGSTOP and sends SIGCONT after the time; calls still arrive. */
  synchronized void stall(Duration time) {
    var victim = process;
    if (victim == null) throw new IllegalStateException(name + " was never started");
    ProcessSignal.STOP.send(List.of(victim.pid()));
    var _ =
        CompletableFuture.runAsync(
            () -> ProcessSignal.CONT.send(List.of(victim.pid())),
            CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Ends the process without a restart. */
  @Override
  public synchronized void close() {
    closed = true;
    if (process != null) process.destroyForcibly();
  }

  private List<String> command() {
    return ChildProcess.command(256, InvokerMain.class.getName(), target, Integer.toString(port));
  }
}
