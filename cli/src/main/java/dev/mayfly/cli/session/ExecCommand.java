package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly exec}: one command on a worker or beside a task. */
@Command(
    name = "exec",
    description = {
      "Runs a command on a worker or beside a running task.",
      "Its input, output and exit code are the command's own. On a terminal it has a terminal."
    },
    footer = {
      "",
      "TARGET is as for mayfly attach. Everything after -- is the command and is passed unchanged.",
      "Exit codes: the command's; 93 if the task does not run there any more, 94 if its user's",
      "rights are missing.",
      "",
      "Examples:",
      "  mayfly exec train -- nvidia-smi",
      "  mayfly exec sweep/3 -- sh -c 'tail -f out/*.log'",
      "  mayfly exec WORKER -- df -h"
    })
public final class ExecCommand extends TargetCommand {
  @Parameters(index = "0", paramLabel = "TARGET", description = "A task or a worker.")
  String target = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "A program and its arguments.")
  List<String> command = new ArrayList<>();

  public ExecCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    return session(target(target), command);
  }
}
