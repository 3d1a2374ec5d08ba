package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.UserDocuments;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Parameters;

/** A command that drains a worker. */
abstract class DrainingCommand extends ClusterCommand {
  private static final Set<String> IN_USE =
      Set.of("launching", "booting", "preparing", "ready", "cordoned", "unfit");

  @Parameters(paramLabel = "WORKER", description = "A name that mayfly workers lists.")
  String worker = "";

  DrainingCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** Publishes the drain and returns the worker once it has begun to drain. */
  final WorkerStatus drain(String cluster, String what) {
    var document = UserDocuments.of("DrainWorker", Map.of("cluster", cluster, "worker", worker));
    return cliContext.publish(document, what + " of " + worker, () -> draining(cluster));
  }

  /** The worker; empty while it takes work or is starting. */
  final Optional<WorkerStatus> draining(String cluster) {
    return cliContext.api().workers(cluster, true).stream()
        .filter(w -> w.name().equals(worker))
        .filter(w -> !IN_USE.contains(w.state()))
        .findFirst();
  }

  final void show(WorkerStatus now) {
    show(
        now,
        () ->
            cliContext
                .screen()
                .line(
                    "worker %s is %s%s"
                        .formatted(
                            now.name(), now.state(), now.reason().map(r -> ": " + r).orElse(""))));
  }
}
