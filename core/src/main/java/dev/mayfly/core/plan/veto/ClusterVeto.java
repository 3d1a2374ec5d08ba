package dev.mayfly.core.plan.veto;

/** What holds up a whole cluster. */
public sealed interface ClusterVeto extends Veto {
  /** It is being taken down. */
  record GoingDown(String cluster) implements ClusterVeto {}

  /**
   * Its machines cost more than it may.
   *
   * @param usdPerHour the budget
   */
  record AboveBudget(double usdPerHour, double cost) implements ClusterVeto {}
}
