package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly attach}: a shell beside a running task. */
@Command(
    name = "attach",
    description = {
      "Opens a shell beside a running task.",
      "It is in the task's folder and container, with its environment and as its user, and ends"
          + " with the task."
    },
    footer = {
      "",
      "TARGET is JOB for the only task of a job, JOB/INDEX for one of several, JOB/INDEX.RANK for a"
          + " rank of a gang or a host of a slice, or WORKER for the machine itself.",
      "",
      "Examples:",
      "  mayfly attach train",
      "  mayfly attach sweep/3",
      "  mayfly attach all-reduce/0.1"
    })
public final class AttachCommand extends TargetCommand {
  private static final int LONGEST = 86_400;

  @Parameters(index = "0", paramLabel = "TARGET", description = "A task or a worker.")
  String target = "";

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Seconds to wait for the task to get a worker and start (default: 0).")
  int wait;

  public AttachCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var limit = Duration.ofSeconds(Math.max(0, Math.min(wait, LONGEST)));
    return session(target(target, limit), List.of(), limit.plus(MOMENT));
  }
}
