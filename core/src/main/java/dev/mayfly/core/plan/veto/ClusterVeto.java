package dev.mayfly.core.plan.veto;

/** What holds up a whole cluster. */
public sealed interface ClusterVeto extends Veto {
  /**
   * Its machines cost more than it may.
   *
   * @param usdPerHour the budget
   */
  record AboveBudget(double usdPerHour, double cost) implements ClusterVeto {}
}
