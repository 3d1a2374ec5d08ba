package dev.mayfly.core.plan.model;

import dev.mayfly.core.plan.veto.Veto;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A complete plan: decisions, kept workers, and the reasons for waiting.
 *
 * @param keeps at most one for each job
 * @param gaveUp zones that could not hold a gang now
 * @param jobs by uid, why tasks of running jobs find no room; absent for those that find all
 * @param pools by name, why they are below their minimum; absent for the others
 */
public record Plan(
    List<PlanDecision> decisions,
    List<Keep> keeps,
    List<AbandonedGang> gaveUp,
    Map<String, List<Veto>> jobs,
    Map<String, List<Veto>> pools) {
  public Plan {
    decisions = List.copyOf(decisions);
    keeps = List.copyOf(keeps);
    gaveUp = List.copyOf(gaveUp);
    jobs = Map.copyOf(jobs);
    pools = Map.copyOf(pools);
  }

  /**
   * Workers kept from all jobs but those of a higher priority: the job waits until all of them are
   * idle, or all of their room is free.
   *
   * @param workers ready or in flight
   * @param launched which of this plan's launches are kept too
   * @param until when their running tasks end at the latest, if known
   */
  public record Keep(
      String job, List<String> workers, List<Launched> launched, Optional<Instant> until) {
    public Keep {
      workers = List.copyOf(workers);
      launched = List.copyOf(launched);
    }
  }

  /** Machines of one pool and zone that the same plan launches; they have no names yet. */
  public record Launched(String pool, String zone, int count) {}

  /** A zone that had only some machines of a gang. */
  public record AbandonedGang(String pool, String zone, int gang) {}

  /** The same with other decisions. */
  public Plan with(List<PlanDecision> others) {
    return new Plan(others, keeps, gaveUp, jobs, pools);
  }

  /** Why the job's tasks find no room; empty if they find all. */
  public List<Veto> ofJob(String uid) {
    return jobs.getOrDefault(uid, List.of());
  }

  /** Why the pool is below its minimum; empty if it is not. */
  public List<Veto> ofPool(String name) {
    return pools.getOrDefault(name, List.of());
  }
}
