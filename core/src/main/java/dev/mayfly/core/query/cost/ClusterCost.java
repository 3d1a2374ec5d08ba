package dev.mayfly.core.query.cost;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * What a cluster's machines cost, by list prices or those of its budget at the launch of each: not
 * what a bill says after discounts, and without disks, networks and storage.
 *
 * @param job the address of the only job that it is about; empty text for the whole cluster
 * @param since the first day, in UTC
 * @param until when it was read
 * @param usdPerHour of the machines that are paid for now
 * @param machines that are paid for now
 * @param unpricedMachines those of {@code machines} whose price is not known
 * @param groups the most expensive first, days in their order
 * @param leftOut what is not in the sums, a sentence each
 */
public record ClusterCost(
    String cluster,
    String job,
    CostBy by,
    LocalDate since,
    Instant until,
    double usdPerHour,
    int machines,
    int unpricedMachines,
    MachineCost today,
    MachineCost month,
    CostGroup total,
    List<CostGroup> groups,
    List<String> leftOut) {
  public ClusterCost {
    groups = List.copyOf(groups);
    leftOut = List.copyOf(leftOut);
  }
}
