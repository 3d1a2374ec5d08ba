package dev.mayfly.core.plan.veto;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Why a pool gets no more machines now. */
public sealed interface PoolVeto extends Veto {
  /** Tolerance for rounding: prices are sums of decimal fractions. */
  double PRICE_TOLERANCE = 1e-6;

  String pool();

  /**
   * It has as many workers as it may.
   *
   * @param counted launching, booting, ready or draining
   * @param enough the least maximum with which the job gets one more, after the jobs before it
   */
  record AtMaximum(String pool, int max, int counted, int enough) implements PoolVeto {}

  /**
   * A task takes more workers at the same time than it may have now.
   *
   * @param has how many are free or on their way for it
   * @param enough the least maximum with which it gets the others, after the jobs before it
   */
  record GangAtMaximum(String pool, int max, int gang, int has, int enough) implements PoolVeto {}

  /**
   * A task takes more of people's own machines at the same time than have joined.
   *
   * @param has how many are free for it
   */
  record GangOfOwn(String pool, int gang, int has, int live, int max) implements PoolVeto {}

  /**
   * A task takes more machines of a manual slice at the same time than are there.
   *
   * @param has how many are free or on their way for it
   */
  record GangOfSlice(String pool, int gang, int has) implements PoolVeto {}

  /**
   * Its machines are people's own: none is launched.
   *
   * @param enough how many the jobs before it take, and one more
   */
  record OwnMachines(String pool, int live, int max, int enough) implements PoolVeto {}

  /**
   * Its machines could run no task.
   *
   * @param failed how many of them
   * @param lacks what the last one lacked
   * @param atATime how many are tried at once until one is fit
   * @param next when the next one is tried; empty if some are tried now
   */
  record Unfit(String pool, int failed, String lacks, int atATime, Optional<Instant> next)
      implements PoolVeto {}

  /**
   * A person has cordoned it: its machines take nothing new, and it gets no more.
   *
   * @param until when that ends at the latest
   */
  record Cordoned(String pool, Instant until) implements PoolVeto {}

  /**
   * More machines would cost more than the cluster may.
   *
   * @param usdPerHour the budget
   * @param cost of the machines that are there
   * @param machines how many more a task takes
   * @param price of these together
   * @param enough the least budget with which the job gets them, after the jobs before it
   */
  record OverBudget(
      String pool, double usdPerHour, double cost, int machines, double price, double enough)
      implements PoolVeto {
    /** Whether the cost is above the budget already. */
    boolean isAbove() {
      return cost > usdPerHour + PRICE_TOLERANCE;
    }
  }

  /**
   * The month's money is not enough for more machines.
   *
   * @param usdPerMonth the budget
   * @param spent of it until now
   * @param usdPerHour of the machines that are there
   * @param machines how many more a task takes
   * @param price of these together, an hour
   * @param atLeast for how long the money must be enough at their launch
   * @param enough a budget with which the job gets them, after the jobs before it
   * @param next when the next month begins
   */
  record OverMonth(
      String pool,
      double usdPerMonth,
      double spent,
      double usdPerHour,
      int machines,
      double price,
      Duration atLeast,
      double enough,
      Instant next)
      implements PoolVeto {}

  /** The cluster has a budget, and no price for the pool's machines. */
  record NoPrice(String pool, String machineType) implements PoolVeto {}

  /**
   * A manual slice whose predecessors still hold chips of its reservation.
   *
   * @param chips of the slice as it is meant
   * @param used those that are not back yet
   */
  record ChipsInUse(String pool, long chips, long used) implements PoolVeto {}

  /**
   * The project may create no more TPUs in this minute.
   *
   * @param left of this minute
   */
  record CreationRate(String pool, int left) implements PoolVeto {}

  /** One plan launches so many machines at most, and the next one continues. */
  record PlanFull(String pool, int most) implements PoolVeto {}
}
