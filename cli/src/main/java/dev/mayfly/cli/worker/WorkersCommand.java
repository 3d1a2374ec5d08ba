package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.output.WorkerLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly workers}: lists workers. */
@Command(
    name = "workers",
    description = "Lists the workers of a cluster: state, heartbeat, tasks.",
    footer = {"", "Examples:", "  mayfly workers", "  mayfly workers --all"})
public final class WorkersCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Option(
      names = {"-a", "--all"},
      description = "Includes gone workers.")
  boolean all;

  public WorkersCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var workers = cliContext.api().workers(cluster.of(cliContext), all);
    var screen = cliContext.screen();
    if (commonOptions.json()) commonOptions.json(screen, workers);
    else if (workers.isEmpty()) screen.note("no workers: machines are created when there is work");
    else screen.lines(WorkerLines.table(workers, cliContext.now()).lines(screen));
    return 0;
  }
}
