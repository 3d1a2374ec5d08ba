package dev.mayfly.cli;

import dev.mayfly.cli.show.WorkerLines;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly workers}: the machines. */
@Command(
    name = "workers",
    description = "Lists the workers of a cluster: state, heartbeat, what they work on.",
    footer = {"", "Examples:", "  mayfly workers", "  mayfly workers --all"})
final class WorkersCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Option(
      names = {"-a", "--all"},
      description = "Those that are gone too.")
  boolean all;

  WorkersCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var workers = session.api().workers(cluster.of(session), all);
    var screen = session.screen();
    if (common.json()) common.json(screen, workers);
    else if (workers.isEmpty()) screen.note("no worker: machines come when there is work");
    else screen.lines(WorkerLines.table(workers, session.now()).lines(screen));
    return 0;
  }
}
