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
 * @param found by uid of a job, where its waiting tasks find room
 */
public record Plan(
    List<PlanDecision> decisions,
    List<Keep> keeps,
    List<AbandonedGang> gaveUp,
    Map<String, List<Veto>> jobs,
    Map<String, List<Veto>> pools,
    Map<String, List<Found>> found) {
  public Plan {
    decisions = List.copyOf(decisions);
    keeps = List.copyOf(keeps);
    gaveUp = List.copyOf(gaveUp);
    jobs = Map.copyOf(jobs);
    pools = Map.copyOf(pools);
    found = Map.copyOf(found);
  }

  /**
   * Room that waiting tasks of a job have in this plan.
   *
   * @param machines launched for it; 0 for tasks on workers that are there
   */
  public record Found(String pool, String zone, Where where, long machines) {}

  /** What kind of worker has room. */
  public enum Where {
    READY,
    IN_FLIGHT,
    LAUNCHED
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
    return new Plan(others, keeps, gaveUp, jobs, pools, found);
  }

  /** Why the job's tasks find no room; empty if they find all. */
  public List<Veto> ofJob(String uid) {
    return jobs.getOrDefault(uid, List.of());
  }

  /** Where the job's waiting tasks find room; empty if they find none. */
  public List<Found> foundBy(String uid) {
    return found.getOrDefault(uid, List.of());
  }

  /** Why the pool is below its minimum; empty if it is not. */
  public List<Veto> ofPool(String name) {
    return pools.getOrDefault(name, List.of());
  }
}
