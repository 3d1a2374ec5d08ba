package dev.mayfly.core.plan.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A complete plan: decisions, kept workers, and the reasons for waiting.
 *
 * @param keeps at most one for each job
 * @param gaveUp zones that could not hold a gang now
 * @param whys keyed by {@code job/NAME} or {@code pool/NAME}
 */
public record Plan(
    List<PlanDecision> decisions,
    List<Keep> keeps,
    List<AbandonedGang> gaveUp,
    Map<String, List<Reason>> whys) {
  public Plan {
    decisions = List.copyOf(decisions);
    keeps = List.copyOf(keeps);
    gaveUp = List.copyOf(gaveUp);
    whys = Map.copyOf(whys);
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

  /**
   * @param kind one word
   */
  public record Reason(String kind, String text) {}
}
