package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The whole machines that a gang could have if they did no other work. */
final class GangMachines {
  /** The most machines that are named in one zone. */
  private static final int NAMED = 3;

  private final ClusterSnapshot clusterSnapshot;
  private final Plan plan;
  private final Map<String, String> names;

  /**
   * @param names of jobs, by uid
   */
  GangMachines(ClusterSnapshot clusterSnapshot, Plan plan, Map<String, String> names) {
    this.clusterSnapshot = clusterSnapshot;
    this.plan = plan;
    this.names = names;
  }

  /** By zone that has enough of them for a task, which of them do other work. */
  List<Veto> busy(JobDemand job, List<PoolSpec> pools) {
    var vetoes = new ArrayList<Veto>();
    for (var pool : pools)
      for (var zone : pool.zones())
        if (job.place().allowsZone(zone)) busy(job, pool.name(), zone).ifPresent(vetoes::add);
    return vetoes;
  }

  private Optional<Veto> busy(JobDemand job, String pool, String zone) {
    var there =
        clusterSnapshot.workers().stream()
            .filter(w -> w.pool().equals(pool) && w.zone().equals(zone))
            .filter(w -> w.state() instanceof WorkerState.Ready && w.mayRun(job.place()))
            .filter(w -> ClusterInventory.takesWork(clusterSnapshot, w))
            .filter(w -> w.total().fits(job.need()))
            .toList();
    var busy = there.stream().filter(w -> !w.held().isEmpty()).toList();
    if (there.size() < job.gang() || there.size() - busy.size() >= job.gang())
      return Optional.empty();
    var named = busy.stream().limit(NAMED).map(w -> busy(w, job)).toList();
    return Optional.of(
        new WorkerVeto.GangBusy(
            pool, zone, job.gang(), there.size(), named, busy.size() - named.size()));
  }

  private WorkerVeto.Busy busy(Worker worker, JobDemand job) {
    var jobs =
        worker.held().stream()
            .map(held -> names.getOrDefault(held.job(), held.job()))
            .distinct()
            .toList();
    return new WorkerVeto.Busy(worker.name(), jobs, until(worker, job));
  }

  /** Only where it gets no further tasks: it is kept for the job, or runs those of gangs. */
  private Optional<Instant> until(Worker worker, JobDemand job) {
    var kept =
        plan.keeps().stream()
            .anyMatch(
                keep -> keep.job().equals(job.job()) && keep.workers().contains(worker.name()));
    var latest = clusterSnapshot.now();
    for (var held : worker.held()) {
      if (!kept && !held.gang()) return Optional.empty();
      var longest =
          clusterSnapshot.jobs().stream()
              .filter(j -> j.job().equals(held.job()))
              .findFirst()
              .flatMap(j -> j.waiting().longest());
      if (longest.isEmpty()) return Optional.empty();
      var began = held.startedAt().stream().max(Instant::compareTo).orElse(held.since());
      var end = began.plus(longest.get());
      if (end.isAfter(latest)) latest = end;
    }
    return Optional.of(latest).filter(clusterSnapshot.now()::isBefore);
  }
}
