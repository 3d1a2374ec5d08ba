package dev.mayfly.core.plan.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a plan says: what is to be done, which workers are kept for whom, and why something
 * waits.
 *
 * @param keeps at most one a job
 * @param gaveUp zones that could not hold a gang now
 * @param whys by what they are about, {@code job/NAME} or {@code pool/NAME}
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
   * Workers that nobody else gets, but jobs of a higher priority: the job waits until all of them
   * have nothing to do, or all of their room is free.
   *
   * @param workers that are there or on their way
   * @param launched how many of those that this plan launches are kept too
   * @param until when what runs on them is over at the latest, if that is known
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

  /** A zone that had some machines of a gang and could not have them all. */
  public record AbandonedGang(String pool, String zone, int gang) {}

  /**
   * @param kind one word
   */
  public record Reason(String kind, String text) {}
}
