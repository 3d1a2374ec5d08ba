package dev.mayfly.cli;

import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.wire.Documents;
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
final class WorkerRemoveCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(paramLabel = "WORKER", description = "As mayfly workers names it.")
  String worker = "";

  @Option(names = "--no-wait", description = "Does not wait until it is out.")
  boolean noWait;

  WorkerRemoveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var name = cluster.ofWorker(session, worker);
    var document = Documents.of("DrainWorker", Map.of("cluster", name, "worker", worker));
    var message = session.topics().publish(document);
    var seen = session.acceptance().await(message, "removal of " + worker, () -> leaving(name));
    if (!noWait && !seen.state().equals("lost"))
      seen =
          session
              .waiting()
              .until(LIMIT, EVERY, () -> leaving(name).filter(w -> w.state().equals("gone")))
              .orElseThrow(() ->
                  new Unavailable(
                      worker + " is still on its way out; mayfly workers tells when it is gone"));
    if (common.json()) common.json(session.screen(), seen);
    else session.screen().line(Leaving.line(seen));
    return 0;
  }

  private Optional<WorkerView> leaving(String cluster) {
    return Leaving.of(session, cluster, worker);
  }
}
