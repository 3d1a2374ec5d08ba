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

/** Starts the laptop cloud, which is another program. */
public final class LocalCloudLauncher {
  private static final String MAIN = "dev.mayfly.local.Main";
  private static final String PROJECT = "MAYFLY_PROJECT_DIR";

  private LocalCloudLauncher() {}

  /** Runs it on this terminal until it ends; its exit code. An interrupt reaches it too. */
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
   * To be started by the caller; it ends when the caller does, machines and all, whatever it is.
   */
  public static ProcessBuilder child(Map<String, String> env, List<String> arguments) {
    return command(env, List.of("dev.mayfly.local.os.ChildProcess", MAIN), arguments);
  }

  private static ProcessBuilder command(
      Map<String, String> env, List<String> main, List<String> arguments) {
    var target = projectFolder(env).resolve("local/target");
    var jar = target.resolve("mayfly-local.jar");
    if (!Files.exists(jar))
      throw new CommandException(
          CommandExitCode.INPUT, jar + " is missing; run ./build, or start with ./mayfly");
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

  /** The folder of the project, as the launcher tells it. */
  public static Path projectFolder(Map<String, String> env) {
    var told = env.getOrDefault(PROJECT, "");
    if (told.isEmpty())
      throw new CommandException(
          CommandExitCode.INPUT,
          PROJECT + " is not set; start with the launcher ./mayfly, which sets it");
    return Path.of(told);
  }

  /** It closes by itself when it is asked; machines and all. */
  private static void end(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
