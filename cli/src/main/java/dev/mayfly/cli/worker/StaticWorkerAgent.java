package dev.mayfly.cli.worker;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.local.LocalCloudLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The node agent of a static worker, as a child of this process. */
final class StaticWorkerAgent {
  /** A little more than the longest shutdown of an agent. */
  private static final long MAX_END_SECONDS = 40;

  private final Map<String, String> env;
  private final Path log;
  private final Consumer<String> messages;
  private Optional<Process> process = Optional.empty();
  private boolean stopped;

  /**
   * @param env environment of this process; the agent gets it without Mayfly's variables
   * @param log the agent's log file
   * @param messages receives messages for people
   */
  StaticWorkerAgent(Map<String, String> env, Path log, Consumer<String> messages) {
    this.env = env;
    this.log = log;
    this.messages = messages;
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end of the agent"));
  }

  /**
   * Starts the agent.
   *
   * @param settings by their keys, for example {@code mayfly-cluster}
   */
  synchronized void start(Map<String, String> settings, Map<String, String> more) {
    if (stopped) return;
    var builder = new ProcessBuilder(command());
    builder.environment().clear();
    env.forEach((name, value) -> {
      if (!name.startsWith("MAYFLY_")) builder.environment().put(name, value);
    });
    settings.forEach((key, value) ->
        builder.environment().put(key.toUpperCase(Locale.ROOT).replace('-', '_'), value));
    builder.environment().putAll(more);
    // The agent ends when its standard input closes, so it ends with this process in every case.
    builder.environment().put("MAYFLY_PARENT", "stdin");
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      process = Optional.of(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start the agent: " + e, e);
    }
  }

  /** The agent's exit code; empty while it runs. */
  synchronized Optional<Integer> code() {
    return process.filter(p -> !p.isAlive()).map(Process::exitValue);
  }

  /** Lets the agent return its work and end; kills it after a timeout. */
  void stop() {
    Optional<Process> now;
    synchronized (this) {
      now = process;
    }
    now.ifPresent(StaticWorkerAgent::stop);
  }

  /** Handles an interrupt: the agent shuts down, and a second interrupt ends it at once. */
  private void end() {
    synchronized (this) {
      stopped = true;
    }
    if (process.filter(Process::isAlive).isPresent()) {
      DefaultSignalHandlers.restore();
      messages.accept("returning this worker's tasks; interrupt again to end at once");
    }
    stop();
  }

  private static void stop(Process process) {
    // Not Process.destroy, which also closes its standard input.
    process.toHandle().destroy();
    try {
      if (!process.waitFor(MAX_END_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  private List<String> command() {
    var target = LocalCloudLauncher.projectFolder(env).resolve("node-agent/target");
    var jar = target.resolve("mayfly-node-agent.jar");
    if (!Files.exists(jar))
      throw CommandException.input(jar + " is missing; run ./build, or start with ./mayfly");
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx96m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        jar + ":" + target.resolve("lib") + "/*",
        "dev.mayfly.agent.Main");
  }
}
