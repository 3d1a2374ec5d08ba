package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.Plan;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.Veto;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The workers kept for each job, in a plan in progress. */
public final class KeptWorkers {
  private static final int MOST_NAMED = 3;

  private final ClusterSnapshot clusterSnapshot;
  private final Map<String, JobDemand> keepers;
  private final Map<String, Plan.Keep> keeps = new LinkedHashMap<>();
  private Set<String> known = Set.of();
  private List<Worker> ready = List.of();

  /**
   * @param keepers by worker, the jobs for which the last plan kept them
   */
  public KeptWorkers(ClusterSnapshot clusterSnapshot, Map<String, JobDemand> keepers) {
    this.clusterSnapshot = clusterSnapshot;
    this.keepers = new HashMap<>(keepers);
  }

  /** Frees the workers kept for the job. */
  public void release(JobDemand job) {
    if (!job.waiting().kept().isEmpty())
      keepers.values().removeIf(keeper -> keeper.job().equals(job.job()));
  }

  /** Keeps the workers for the job, replacing its earlier ones. */
  public void keep(
      JobDemand job, List<Worker> workers, List<Plan.Launched> launched, Optional<Instant> until) {
    var names = workers.stream().map(Worker::name).toList();
    keeps.put(job.job(), new Plan.Keep(job.job(), names, launched, until));
    names.forEach(name -> keepers.put(name, job));
  }

  /** By worker, the job that it is kept for now. */
  public Map<String, JobDemand> keepers() {
    return Map.copyOf(keepers);
  }

  /** The workers that the job could use but must leave to others. */
  public List<Veto> closedTo(JobDemand job) {
    var closed = new ArrayList<Veto>();
    for (var worker : workers()) {
      var keeper = keepers.get(worker.name());
      if (closed.size() >= MOST_NAMED
          || keeper == null
          || KeptWorkerPlanner.mayUseKept(keeper, job)) continue;
      if (!worker.mayRun(job.place())
          || !ClusterInventory.free(clusterSnapshot, worker).fits(job.need())) continue;
      closed.add(new JobVeto.KeptForOther(worker.name(), keeper.name()));
    }
    return closed;
  }

  /** The ready workers among all that were or are kept. */
  private List<Worker> workers() {
    if (!keepers.keySet().equals(known)) {
      known = Set.copyOf(keepers.keySet());
      ready =
          clusterSnapshot.workers().stream()
              .filter(w -> known.contains(w.name()) && DrainPlanner.isReady(w))
              .toList();
    }
    return ready;
  }

  public List<Plan.Keep> keeps() {
    return List.copyOf(keeps.values());
  }
}
