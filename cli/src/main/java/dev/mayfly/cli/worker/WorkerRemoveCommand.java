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

/** {@code mayfly worker remove}. */
@Command(
    name = "remove",
    description = {
      "Takes a machine of one's own out.",
      "What it has not begun goes back, what runs may end within five minutes, and then it is no"
          + " worker any more. mayfly worker join brings it back."
    },
    footer = {"", "Example:", "  mayfly worker remove desk-1"})
public final class WorkerRemoveCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();
  @Mixin ClusterOption cluster = new ClusterOption();

  @Parameters(paramLabel = "WORKER", description = "As mayfly workers names it.")
  String worker = "";

  @Option(names = "--no-wait", description = "Does not wait until it is out.")
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
                      worker + " is still on its way out; mayfly workers tells when it is gone"));
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), seen);
    else cliContext.screen().line(DrainStatus.line(seen));
    return 0;
  }

  private Optional<WorkerStatus> leaving(String cluster) {
    return DrainStatus.of(cliContext, cluster, worker);
  }
}
