package dev.mayfly.cli;

import dev.mayfly.core.control.WorkerView;
import java.util.Optional;

/** A worker that was asked to go: whether it has begun to, and how that is told. */
final class Leaving {
  private Leaving() {}

  /** Empty while it takes work, or is about to. */
  static Optional<WorkerView> of(Session session, String cluster, String worker) {
    return session.api().workers(cluster, true).stream()
        .filter(w -> w.name().equals(worker))
        .filter(w ->
            !w.state().equals("ready")
                && !w.state().equals("unfit")
                && !w.state().equals("preparing")
                && !w.state().equals("booting")
                && !w.state().equals("launching"))
        .findFirst();
  }

  static String line(WorkerView worker) {
    return "worker %s is %s%s"
        .formatted(worker.name(), worker.state(), worker.reason().map(r -> ": " + r).orElse(""));
  }
}
