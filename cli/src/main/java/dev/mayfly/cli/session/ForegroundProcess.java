package dev.mayfly.cli.session;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs programs of this computer. */
public final class ForegroundProcess {
  private static final int KILLED = 128;

  private ForegroundProcess() {}

  /**
   * What a program printed.
   *
   * @param output at most a few lines are expected
   */
  public record Captured(int code, String output) {}

  /**
   * Runs the program with this process's own input, output and terminal, and returns its exit code.
   * The interrupt key reaches the program and not this process. A terminal that a killed program
   * left behind is restored.
   */
  public static int run(LocalProgram localProgram) {
    var settings = Terminal.isInteractive() ? Terminal.settings() : Optional.<String>empty();
    try {
      Terminal.leaveKeysToChild();
      var process = localProgram.builder().inheritIO().start();
      var end = new Thread(process::destroy, "end of the session");
      Runtime.getRuntime().addShutdownHook(end);
      var code = process.waitFor();
      removeHook(end);
      if (code > KILLED) settings.ifPresent(Terminal::restore);
      return code;
    } catch (IOException e) {
      throw notStarted(localProgram, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CommandExitCode.UNAVAILABLE.code();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // This process ends; the program has ended already.
      return;
    }
  }

  /** The exit code of the program; nothing that it says is shown. */
  static int code(LocalProgram localProgram) {
    return capture(localProgram, ignored -> {}).code();
  }

  /**
   * Runs the program without input and returns what it printed.
   *
   * @param errors the lines of its errors, as they come
   */
  public static Captured capture(LocalProgram localProgram, Consumer<String> errors) {
    try {
      var process = localProgram.builder().start();
      process.getOutputStream().close();
      try (var _ = ErrorLines.of(process, errors)) {
        return captured(process);
      }
    } catch (IOException e) {
      throw notStarted(localProgram, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(CommandExitCode.UNAVAILABLE, "interrupted", e);
    }
  }

  private static Captured captured(Process process) throws IOException, InterruptedException {
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Captured(process.waitFor(), output);
  }

  private static CommandException notStarted(LocalProgram localProgram, IOException e) {
    return CommandException.input(
        localProgram.argv().getFirst() + " cannot be started: " + e.getMessage(), e);
  }
}
