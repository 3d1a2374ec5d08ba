package dev.mayfly.core.query.cost;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

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
 * @param usdPerMonth what the cluster's machines may cost in a calendar month; of a job empty
 * @param groups the most expensive first, days in their order
 * @param leftOut what is not in the sums, a sentence each
 * @param title what the sums are about and how much that is, and of a cluster what it costs now, a
 *     sentence each
 * @param notes what has to be known to read the sums, a sentence each, with what is left out
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
    Optional<Double> usdPerMonth,
    CostGroup total,
    List<CostGroup> groups,
    List<String> leftOut,
    List<String> title,
    List<String> notes) {
  public ClusterCost {
    groups = List.copyOf(groups);
    leftOut = List.copyOf(leftOut);
    title = List.copyOf(title);
    notes = List.copyOf(notes);
  }

  /**
   * A copy with its sentences.
   *
   * @param isLaptop whether nobody charges it
   */
  public ClusterCost inWords(boolean isLaptop) {
    return new ClusterCost(
        cluster,
        job,
        by,
        since,
        until,
        usdPerHour,
        machines,
        unpricedMachines,
        today,
        month,
        usdPerMonth,
        total,
        groups,
        leftOut,
        CostText.title(this),
        CostText.notes(this, isLaptop));
  }

  /** What runs now, in words. */
  public String now() {
    return CostText.now(this);
  }
}
