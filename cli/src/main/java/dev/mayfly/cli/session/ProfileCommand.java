package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly profile}: what a running task does now. */
@Command(
    name = "profile",
    description = {
      "Shows what a running task does now, by a profiler that is there.",
      "Python: py-spy, of the task's environment or the machine. Java: jcmd. The task runs on; it"
          + " is neither stopped nor started again, and stands still for moments at most."
    },
    footer = {
      "",
      "TARGET is as for mayfly attach. Without --seconds it prints the stacks of all threads now;",
      "with it a flame graph (SVG) of that time, of Python only. A tool that is missing is named",
      "with how to install it. Exit codes: the tool's; 93 if the task does not run there any more,",
      "94 if rights are missing, 96 if there is no process or no tool for a profile.",
      "",
      "Examples:",
      "  mayfly profile train",
      "  mayfly profile sweep/3 --seconds 30 > profile.svg"
    })
public final class ProfileCommand extends TargetCommand {
  private static final int LONGEST = 3_600;

  @Parameters(index = "0", paramLabel = "TARGET", description = "A running task.")
  String target = "";

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Samples for so long, and prints a flame graph (0: the stacks now).")
  int seconds;

  public ProfileCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (seconds < 0 || seconds > LONGEST)
      throw CommandException.input("--seconds is %d; write 0 to %,d".formatted(seconds, LONGEST));
    var at = target(target);
    if (at.task().isEmpty())
      throw CommandException.input(
          target + " is a worker; a profile is of a task: mayfly profile JOB/INDEX");
    return session(at, command(seconds));
  }

  /** A command for beside the task. */
  static List<String> command(int seconds) {
    return List.of("sh", "-c", ProfileScript.TEXT, "profile", Integer.toString(seconds));
  }
}
