package dev.mayfly.cli.local;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts the laptop cloud as a separate process. */
public final class LocalCloudLauncher {
  private static final String MAIN = "dev.mayfly.local.Main";
  private static final String PROJECT = "MAYFLY_PROJECT_DIR";

  private LocalCloudLauncher() {}

  /**
   * Runs it in the foreground until it ends and returns its exit code. An interrupt reaches it too.
   */
  public static int foreground(Map<String, String> env, List<String> arguments) {
    try {
      var process = command(env, List.of(MAIN), arguments).inheritIO().start();
      var end = new Thread(() -> end(process), "end of the laptop cloud");
      Runtime.getRuntime().addShutdownHook(end);
      return process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("the laptop cloud does not start: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CommandExitCode.UNAVAILABLE.code();
    }
  }

  /**
   * A builder for the caller to start. The laptop cloud and its machines end with the caller,
   * however the caller ends.
   */
  public static ProcessBuilder child(Map<String, String> env, List<String> arguments) {
    return command(env, List.of("dev.mayfly.local.os.ChildProcess", MAIN), arguments);
  }

  private static ProcessBuilder command(
      Map<String, String> env, List<String> main, List<String> arguments) {
    var target = projectFolder(env).resolve("local/target");
    var jar = target.resolve("mayfly-local.jar");
    if (!Files.exists(jar))
      throw CommandException.input(jar + " is missing; run ./build, or start with ./mayfly");
    var line = new ArrayList<String>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx64m",
            "--enable-native-access=ALL-UNNAMED"));
    var trained = target.resolve("start.aot");
    if (Files.exists(trained))
      line.addAll(List.of("-XX:AOTCache=" + trained, "-Xlog:disable", "-Xlog:all=error:stderr"));
    line.addAll(List.of("-cp", jar + ":" + target.resolve("lib") + "/*"));
    line.addAll(main);
    line.addAll(arguments);
    var builder = new ProcessBuilder(line);
    builder.environment().putAll(env);
    return builder;
  }

  /** The project folder, set by the launcher. */
  public static Path projectFolder(Map<String, String> env) {
    var folder = env.getOrDefault(PROJECT, "");
    if (folder.isEmpty())
      throw CommandException.input(
          PROJECT + " is not set; start with the launcher ./mayfly, which sets it");
    return Path.of(folder);
  }

  /** Stops the process, which ends its machines itself. */
  private static void end(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
