package dev.mayfly.core.reconcile;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The result of a reconcile.
 *
 * @param problems failures of single things that did not stop the rest, a line each
 * @param later reconciles that this call must still run: other calls rely on them
 */
public record ReconcileResult(List<String> problems, Optional<Later> later) {
  public ReconcileResult {
    problems = List.copyOf(problems);
  }

  public static ReconcileResult now(List<String> problems) {
    return new ReconcileResult(problems, Optional.empty());
  }

  public ReconcileResult plus(List<String> more) {
    var all = new ArrayList<>(problems);
    all.addAll(more);
    return new ReconcileResult(all, later);
  }

  /**
   * Reconciles that may not start before then. The call waits until then and continues with {@code
   * ControlPlane.resume}, or passes them on with {@code ControlPlane.passOn} if it cannot wait that
   * long.
   *
   * @param clusters by uid
   */
  public record Later(Instant at, List<String> clusters) {
    public Later {
      clusters = List.copyOf(clusters);
    }
  }
}
