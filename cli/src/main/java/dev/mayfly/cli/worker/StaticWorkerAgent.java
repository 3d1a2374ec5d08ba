package dev.mayfly.cli.worker;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
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

/** The node agent as a child of this process, on a machine of one's own. */
final class StaticWorkerAgent {
  /** A little more than an agent that is asked to end takes at most. */
  private static final long PATIENCE_SECONDS = 40;

  private final Map<String, String> env;
  private final Path log;
  private final Consumer<String> teller;
  private Optional<Process> process = Optional.empty();
  private boolean over;

  /**
   * @param env of this process; the agent has it without what is Mayfly's
   * @param log where it writes
   * @param teller for people
   */
  StaticWorkerAgent(Map<String, String> env, Path log, Consumer<String> teller) {
    this.env = env;
    this.log = log;
    this.teller = teller;
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "end of the agent"));
  }

  /**
   * Starts it anew.
   *
   * @param settings by their keys, {@code mayfly-cluster} for example
   */
  synchronized void start(Map<String, String> settings, Map<String, String> more) {
    if (over) return;
    var builder = new ProcessBuilder(command());
    builder.environment().clear();
    env.forEach((name, value) -> {
      if (!name.startsWith("MAYFLY_")) builder.environment().put(name, value);
    });
    settings.forEach((key, value) ->
        builder.environment().put(key.toUpperCase(Locale.ROOT).replace('-', '_'), value));
    builder.environment().putAll(more);
    // It ends when the other end of its standard input does: with this process, however that ends.
    builder.environment().put("MAYFLY_PARENT", "stdin");
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      process = Optional.of(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("the agent does not start: " + e, e);
    }
  }

  /** Its exit code; empty while it runs. */
  synchronized Optional<Integer> code() {
    return process.filter(p -> !p.isAlive()).map(Process::exitValue);
  }

  synchronized long pid() {
    return process.map(Process::pid).orElse(0L);
  }

  /** It gives everything back and ends; it is killed if it does not in time. */
  void stop() {
    Optional<Process> now;
    synchronized (this) {
      now = process;
    }
    now.ifPresent(StaticWorkerAgent::stop);
  }

  /** An interrupt: what runs has a moment to clean up, unless there is another one. */
  private void end() {
    synchronized (this) {
      over = true;
    }
    if (process.filter(Process::isAlive).isPresent()) {
      DefaultSignalHandlers.restore();
      teller.accept("what runs here is given back; interrupt once more to end it at once");
    }
    stop();
  }

  private static void stop(Process process) {
    // Not Process.destroy, which also closes its standard input.
    process.toHandle().destroy();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  private List<String> command() {
    var target = LocalCloudLauncher.projectFolder(env).resolve("node-agent/target");
    var jar = target.resolve("mayfly-node-agent.jar");
    if (!Files.exists(jar))
      throw new CommandException(
          CommandExitCode.INPUT, jar + " is missing; run ./build, or start with ./mayfly");
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
