package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.task.HeldLease;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The images that jobs' tags resolved to here, while there is a lease of the job. */
public final class PulledImages {
  private final TreeMap<String, SyncReport.Pulled> byJob = new TreeMap<>();

  /** Records a pulled image; returns whether it is new. */
  public boolean pulled(AgentEvent.ImagePulled event) {
    var job = event.attempt().lease().job();
    var now = new SyncReport.Pulled(job, event.image());
    return !now.equals(byJob.put(job, now));
  }

  public List<SyncReport.Pulled> of(Collection<HeldLease> leases) {
    if (byJob.isEmpty()) return List.of();
    byJob.keySet().retainAll(leases.stream().map(l -> l.ref.job()).collect(Collectors.toSet()));
    return List.copyOf(byJob.values());
  }
}
