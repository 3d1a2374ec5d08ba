package dev.mayfly.cli;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mayfly} without a command: shows the usage. */
@Command(
    name = "mayfly",
    description = {
      "Runs jobs on machines that are created for the work and deleted after it.",
      "",
      "Start with: mayfly local (in another terminal), mayfly up CLUSTER.yaml, mayfly submit"
          + " JOB.yaml"
          + " --follow"
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "MAYFLY_PROJECT=P MAYFLY_REGION=R: commands use that Google Cloud project instead of the"
          + " laptop cloud.",
      "MAYFLY_CLUSTER=C: commands without -c use that cluster.",
      "mayfly COMMAND --help shows details and examples. MAYFLY_DEBUG=1 shows the stack trace of"
          + " an error.",
      "Exit codes: 0 success, 1 job failed, 2 input, 3 stopped, 4 not found, 69 a program is not",
      "installed, 70 bug, 74 the output is cut, 75 try later, 77 an administrator must grant a right,",
      "78 a setting or a port prevents the start."
    })
final class RootCommand extends CliCommand {
  @Spec @Nullable CommandSpec spec;

  RootCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (spec != null) spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }
}
