package dev.mayfly.core.reconcile;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a look came to.
 *
 * @param troubles what went wrong with single things and did not stop the rest, a line each
 * @param later rounds that this call is still to make: a call that ends without them has dropped
 *     what others rely on
 */
public record ReconcileResult(List<String> troubles, Optional<Later> later) {
  public ReconcileResult {
    troubles = List.copyOf(troubles);
  }

  public static ReconcileResult now(List<String> troubles) {
    return new ReconcileResult(troubles, Optional.empty());
  }

  public ReconcileResult plus(List<String> more) {
    var all = new ArrayList<>(troubles);
    all.addAll(more);
    return new ReconcileResult(all, later);
  }

  /**
   * Rounds that may not begin before then. The call waits until then inside, and goes on with
   * {@code ControlPlane.resume}; one that cannot wait so long passes them on with {@code
   * ControlPlane.passOn}.
   *
   * @param clusters by uid
   */
  public record Later(Instant at, List<String> clusters) {
    public Later {
      clusters = List.copyOf(clusters);
    }
  }
}
