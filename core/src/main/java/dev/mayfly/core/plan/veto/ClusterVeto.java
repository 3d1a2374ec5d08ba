package dev.mayfly.core.plan.veto;

import java.time.Instant;

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

  /**
   * What its machines may cost in a month is spent, but for their end.
   *
   * @param usdPerMonth the budget
   * @param usdPerHour of the machines that are there
   * @param enough a budget with which it has machines again
   * @param next when the next month begins
   */
  record MonthUsedUp(
      double usdPerMonth, double spent, double usdPerHour, double enough, Instant next)
      implements ClusterVeto {}

  /**
   * What is spent of the month's budget cannot be read.
   *
   * @param atLeast what can be read of it
   * @param unread what cannot, with how to mend it
   */
  record MonthUnknown(double usdPerMonth, double atLeast, String unread) implements ClusterVeto {}
}
