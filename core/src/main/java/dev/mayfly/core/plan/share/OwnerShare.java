package dev.mayfly.core.plan.share;

import java.util.List;
import java.util.Optional;

/**
 * What one of several owners has of what they share.
 *
 * @param owner empty for jobs without one
 * @param weight how many shares are theirs
 * @param running how many tasks run
 * @param machines what counts of them; empty unless what was used lately counts
 */
public record OwnerShare(String owner, double weight, long running, Optional<Machines> machines) {
  /**
   * Parts of machines that tasks of an owner take.
   *
   * @param now of what runs
   * @param lately on average, in which the past counts less and less
   */
  public record Machines(double now, double lately) {}

  /** What a person calls the owner. */
  String words() {
    return owner.isEmpty() ? "jobs without an owner" : owner;
  }

  /**
   * How much of their share of what all of these ran lately is theirs, 1 for all of it; empty if
   * that does not count, or nobody ran anything.
   */
  public Optional<Double> usedLately(List<OwnerShare> all) {
    var ran = all.stream().mapToDouble(OwnerShare::lately).sum();
    var due = ran * weight / weights(all);
    return machines.filter(_ -> due > 0).map(mine -> mine.lately() / due);
  }

  private double lately() {
    return machines.map(Machines::lately).orElse(0.0);
  }

  static double weights(List<OwnerShare> all) {
    return all.stream().mapToDouble(OwnerShare::weight).sum();
  }
}
