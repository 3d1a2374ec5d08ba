package dev.mayfly.core.plan.veto;

import java.util.List;

/**
 * Why a job can never run on a cluster as both are written.
 *
 * @param field the field of the job that no pool fits, for example {@code gang}
 * @param message one sentence with the request, the nearest shape and the remedy
 * @param remedy what would let it run
 * @param pools every pool that was considered, in the order of the spec
 */
public record InfeasibleReason(
    String field, String message, Remedy remedy, List<Considered> pools) {
  public InfeasibleReason {
    pools = List.copyOf(pools);
  }

  /** An unsuitable pool. */
  public record Considered(String pool, ShapeVeto why) {}
}
