package dev.mayfly.core.plan;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import java.util.List;

/**
 * The unstarted tasks of cordoned workers go back, so that others run them.
 *
 * <p><b>Must:</b> take back no task that may have started, and nothing from a gang or from a job
 * whose tasks must not run twice.
 */
final class CordonedLeases {
  /** Each is a read and perhaps a write; the next plan takes the others. */
  private static final int MOST = 64;

  private final ClusterSnapshot clusterSnapshot;

  CordonedLeases(ClusterSnapshot clusterSnapshot) {
    this.clusterSnapshot = clusterSnapshot;
  }

  List<PlanDecision> goBack() {
    return clusterSnapshot.workers().stream()
        .filter(worker -> ClusterInventory.isCordoned(clusterSnapshot, worker))
        .flatMap(worker ->
            worker.held().stream().filter(this::mayGoBack).map(lease -> goesBack(worker, lease)))
        .limit(MOST)
        .toList();
  }

  private boolean mayGoBack(Worker.Held lease) {
    return !lease.gang()
        && clusterSnapshot.jobs().stream()
            .anyMatch(job -> job.job().equals(lease.job()) && !job.standing().exclusive());
  }

  private static PlanDecision goesBack(Worker worker, Worker.Held lease) {
    return new PlanDecision.PreemptLease(
        worker.name(),
        lease.ref(),
        ClusterInventory.atOnce(lease),
        "worker %s is cordoned".formatted(worker.name()));
  }
}
