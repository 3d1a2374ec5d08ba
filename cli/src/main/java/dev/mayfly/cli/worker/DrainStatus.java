package dev.mayfly.cli.worker;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.query.WorkerStatus;
import java.util.Optional;

/** Whether a worker has begun to drain, and a line that shows it. */
final class DrainStatus {
  private DrainStatus() {}

  /** Empty while the worker takes work or is starting. */
  static Optional<WorkerStatus> of(CliContext cliContext, String cluster, String worker) {
    return cliContext.api().workers(cluster, true).stream()
        .filter(w -> w.name().equals(worker))
        .filter(w ->
            !w.state().equals("ready")
                && !w.state().equals("unfit")
                && !w.state().equals("preparing")
                && !w.state().equals("booting")
                && !w.state().equals("launching"))
        .findFirst();
  }

  static String line(WorkerStatus worker) {
    return "worker %s is %s%s"
        .formatted(worker.name(), worker.state(), worker.reason().map(r -> ": " + r).orElse(""));
  }
}
