package dev.mayfly.core.plan.model;

import java.util.List;

/**
 * Why a job can never run on a cluster as both are written.
 *
 * @param field the field of the job that no pool fits, for example {@code gang}
 * @param message one sentence with the request, the nearest shape and the remedy
 * @param pools every pool that was considered, in the order of the spec
 */
public record InfeasibleReason(String field, String message, List<Considered> pools) {
  public InfeasibleReason {
    pools = List.copyOf(pools);
  }

  /**
   * An unsuitable pool.
   *
   * @param why the reason, for example {@code n2-standard-2 has 2 CPU, not 4}
   */
  public record Considered(String pool, String why) {}
}
