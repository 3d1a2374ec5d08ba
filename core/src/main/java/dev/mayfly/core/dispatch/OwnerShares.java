package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.plan.lease.FairShareSelector;
import dev.mayfly.core.plan.share.FairShareRule;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** What each owner of a priority runs when a pass begins, as known to this instance. */
final class OwnerShares {
  private final InstanceTaskRange instanceTaskRange;
  private final RunningTaskDeltas recent;

  OwnerShares(InstanceTaskRange instanceTaskRange, RunningTaskDeltas recent) {
    this.instanceTaskRange = instanceTaskRange;
    this.recent = recent;
  }

  /**
   * @param counted when the rows were counted
   * @param rule by which they share
   * @param workerDemands pending syncs, whose reports are newer than their stored workers
   */
  FairShareSelector of(
      List<JobQueue.Row> band,
      Optional<Instant> counted,
      FairShareRule rule,
      Collection<WorkerDemand> workerDemands) {
    var since = new HashMap<>(recent.since(counted));
    for (var b : workerDemands) {
      for (var held : b.pendingSync.worker().held())
        since.merge(held.job(), -held.atOnce(), Long::sum);
      for (var held : b.held()) since.merge(held.job(), held.atOnce(), Long::sum);
      b.publishing().forEach((job, tasks) -> since.merge(job, -tasks, Long::sum));
    }
    return new FairShareSelector(band, since, instanceTaskRange.instances(), rule);
  }
}
