package dev.mayfly.cli;

import dev.mayfly.wire.Documents;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly drain}: a worker gets no more work, and goes. */
@Command(
    name = "drain",
    description = "Gives a worker no more work; it ends what runs, and its machine goes.",
    footer = {"", "Example:", "  mayfly drain cpu-7f3a"})
final class DrainCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(paramLabel = "WORKER", description = "As mayfly workers names it.")
  String worker = "";

  DrainCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var name = cluster.ofWorker(session, worker);
    var document = Documents.of("DrainWorker", Map.of("cluster", name, "worker", worker));
    var message = session.topics().publish(document);
    var drained =
        session
            .acceptance()
            .await(message, "drain of " + worker, () -> Leaving.of(session, name, worker));
    var screen = session.screen();
    if (common.json()) common.json(screen, drained);
    else screen.line(Leaving.line(drained));
    return 0;
  }
}
