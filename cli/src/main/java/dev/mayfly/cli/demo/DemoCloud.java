package dev.mayfly.cli.demo;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.files.LocalFolders;
import dev.mayfly.cli.local.LocalCloudLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The demo's laptop cloud: starts empty and ends with the demo, machines included. */
public final class DemoCloud implements AutoCloseable {
  private static final Duration READY = Duration.ofSeconds(250);
  private static final String TICK = "3";
  private static final String NOTICE = "5";

  private final Process process;
  private final Thread end = new Thread(this::stop, "end of the demo's cloud");
  private final Path log;

  private DemoCloud(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  public static DemoCloud start(
      Map<String, String> env,
      Path home,
      int port,
      boolean emulators,
      ConditionPoller conditionPoller) {
    try {
      if (running(home))
        throw new CommandException(
            CommandExitCode.UNAVAILABLE,
            "another demo is running in " + home + "; wait until it ends");
      LocalFolders.delete(home);
      var log = Files.createDirectories(home).resolve("local.log");
      var arguments =
          new ArrayList<>(List.of("--port", "" + port, "--tick", TICK, "--notice", NOTICE));
      if (emulators) arguments.add("--emulators");
      var process =
          LocalCloudLauncher.child(env, arguments)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      var cloud = new DemoCloud(process, log);
      Runtime.getRuntime().addShutdownHook(cloud.end);
      cloud.awaitReady(home, conditionPoller);
      return cloud;
    } catch (IOException e) {
      throw new UncheckedIOException("the demo's cloud cannot start: " + e.getMessage(), e);
    }
  }

  private static boolean running(Path home) {
    return DeploymentEndpoints.find(home)
        .flatMap(s -> ProcessHandle.of(s.supervisorPid()))
        .filter(ProcessHandle::isAlive)
        .filter(p -> p.info().commandLine().map(c -> c.contains("dev.mayfly.local")).orElse(true))
        .isPresent();
  }

  private void awaitReady(Path home, ConditionPoller conditionPoller) {
    var ready =
        conditionPoller.until(
            READY,
            Duration.ofMillis(100),
            () ->
                Files.exists(DeploymentEndpoints.file(home)) || !process.isAlive()
                    ? Optional.of(process.isAlive())
                    : Optional.empty());
    if (ready.orElse(false)) return;
    close();
    throw new CommandException(
        CommandExitCode.UNAVAILABLE, startupMessage().strip() + " (its log: " + log + ")");
  }

  /** The line that the laptop cloud printed at its start, with its URLs. */
  public String startupMessage() {
    try {
      return Files.readAllLines(log).stream().findFirst().orElse("the laptop cloud is up");
    } catch (IOException e) {
      return "the laptop cloud's output cannot be read: " + e.getMessage();
    }
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException ending) {
      // The hook has stopped it or is stopping it.
      return;
    }
  }

  private void stop() {
    process.destroy();
    try {
      if (!process.waitFor(90, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
