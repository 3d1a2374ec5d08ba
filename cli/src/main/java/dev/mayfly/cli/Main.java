package dev.mayfly.cli;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.error.ErrorReporter;
import dev.mayfly.cli.error.ResultStream;
import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.output.Screen;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Help.Ansi;

/** Runs one command and exits with its code. */
public final class Main {
  private static final int USUAL_WIDTH = 80;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(context(), args));
  }

  /** The context of this process: its environment, its terminal and the real time. */
  static CliContext context() {
    var env = new HashMap<>(System.getenv());
    // Containers and services have an account but no USER variable.
    env.putIfAbsent("USER", System.getProperty("user.name", ""));
    // Library logs are for debugging only.
    if (!env.containsKey("MAYFLY_DEBUG")) Logger.getLogger("").setLevel(Level.OFF);
    var conditionPoller = new ConditionPoller(InstantSource.system(), ConditionPoller::sleep);
    return new CliContext(env, screen(env), conditionPoller, () -> UUID.randomUUID().toString());
  }

  /** Runs a command and returns its exit code. */
  public static int run(CliContext cliContext, String... args) {
    var screen = cliContext.screen();
    var errorReporter = new ErrorReporter(screen, cliContext.env().containsKey("MAYFLY_DEBUG"));
    try {
      ReplacedLetters.check(ReplacedLetters.GIVEN, args);
      var line = Commands.commandLine(cliContext, args);
      line.setOut(new PrintWriter(screen.out(), true, StandardCharsets.UTF_8));
      line.setErr(new PrintWriter(screen.err(), true, StandardCharsets.UTF_8));
      line.setExecutionExceptionHandler(errorReporter);
      line.setParameterExceptionHandler(errorReporter);
      line.setColorScheme(
          picocli.CommandLine.Help.defaultColorScheme(screen.colour() ? Ansi.ON : Ansi.OFF));
      line.setUsageHelpWidth(Math.max(USUAL_WIDTH, Math.min(120, screen.width())));
      var code =
          line.execute(UnknownCommand.withoutHelp(line, HelpRequest.behindCommand(line, args)));
      screen.out().flush();
      return whole(screen, code);
    } catch (RuntimeException bug) {
      return errorReporter.report(bug);
    }
  }

  /** A command that could not write all of its results has failed. */
  private static int whole(Screen screen, int code) {
    if (code != 0 || !(screen.out() instanceof ResultStream results)) return code;
    var why = results.whyCut();
    if (why.isEmpty()) return code;
    screen.note("the output is cut, because it could not be written: " + why.get());
    return CommandExitCode.CUT_OUTPUT.code();
  }

  private static Screen screen(Map<String, String> env) {
    var out = ResultStream.to(new FileOutputStream(FileDescriptor.out));
    var err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    var console = System.console();
    var smart = console != null && console.isTerminal() && !"dumb".equals(env.get("TERM"));
    var colour = smart && env.getOrDefault("NO_COLOR", "").isEmpty();
    var programName =
        new ProgramName(env.getOrDefault("MAYFLY_COMMAND", "mayfly"), Commands.names());
    return new Screen(
        out,
        err,
        smart,
        colour,
        smart ? width(env) : Screen.ENDLESS,
        programName,
        ZoneId::systemDefault);
  }

  /** The width of the terminal in columns. */
  private static int width(Map<String, String> env) {
    var columns = env.getOrDefault("COLUMNS", "");
    if (columns.matches("[1-9][0-9]{1,3}")) return Integer.parseInt(columns);
    try {
      var stty =
          new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      var size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      return size.matches("\\d+ [1-9]\\d+") ? Integer.parseInt(size.split(" ")[1]) : USUAL_WIDTH;
    } catch (IOException noStty) {
      return USUAL_WIDTH;
    }
  }
}
