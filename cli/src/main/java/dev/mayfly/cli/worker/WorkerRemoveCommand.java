package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly worker remove}: removes a static worker. */
@Command(
    name = "remove",
    description = {
      "Removes a static worker.",
      "Tasks that have not started are returned, running tasks may end within five minutes, and"
          + " then"
          + " the worker is gone. mayfly worker join adds it again."
    },
    footer = {"", "Example:", "  mayfly worker remove desk-1"})
public final class WorkerRemoveCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Parameters(paramLabel = "WORKER", description = "A name that mayfly workers lists.")
  String worker = "";

  @Option(names = "--no-wait", description = "Does not wait until the worker is gone.")
  boolean noWait;

  public WorkerRemoveCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var name = cluster.ofWorker(cliContext, worker);
    var document = UserDocuments.of("DrainWorker", Map.of("cluster", name, "worker", worker));
    var message = cliContext.topics().publish(document);
    var seen = cliContext.acceptance().await(message, "removal of " + worker, () -> leaving(name));
    if (!noWait && !seen.state().equals("lost"))
      seen =
          cliContext
              .poller()
              .until(LIMIT, EVERY, () -> leaving(name).filter(w -> w.state().equals("gone")))
              .orElseThrow(() ->
                  new UnavailableException(
                      worker + " is still draining; mayfly workers shows when it is gone"));
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), seen);
    else cliContext.screen().line(DrainStatus.line(seen));
    return 0;
  }

  private Optional<WorkerStatus> leaving(String cluster) {
    return DrainStatus.of(cliContext, cluster, worker);
  }
}
