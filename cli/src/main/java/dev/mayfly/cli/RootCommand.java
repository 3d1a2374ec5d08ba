package dev.mayfly.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mayfly} by itself: says what there is. */
@Command(
    name = "mayfly",
    description = {
      "Runs jobs on machines that come for the work and go after it.",
      "",
      "Begin with: mayfly local (in another terminal), mayfly up CLUSTER.yaml, mayfly submit JOB.yaml"
          + " --follow"
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "MAYFLY_PROJECT=P MAYFLY_REGION=R: commands go to that project of Google Cloud, not to the"
          + " laptop cloud.",
      "mayfly COMMAND --help has more, with examples. MAYFLY_DEBUG=1 shows where an error came from.",
      "Exit codes: 0 fine, 1 job failed, 2 input, 3 stopped, 4 not found, 75 try later, 70 a bug."
    })
final class RootCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  boolean help;

  @Override
  public Integer call() {
    if (spec != null) spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }
}
