package dev.mayfly.core.reconcile.cleanup;

import java.util.List;

/**
 * What cleanup would do now.
 *
 * @param deletions machines, TPU nodes, disks and addresses that it would delete
 * @param untouched what it would leave alone because its owner is unknown, and what it could not
 *     check, a line each
 */
public record CleanupPlan(List<Deletion> deletions, List<String> untouched) {
  public CleanupPlan {
    deletions = List.copyOf(deletions);
    untouched = List.copyOf(untouched);
  }

  /**
   * @param kind machine, tpu, disk or address
   * @param place its zone or region
   */
  public record Deletion(String kind, String place, String name, String why) {}
}
