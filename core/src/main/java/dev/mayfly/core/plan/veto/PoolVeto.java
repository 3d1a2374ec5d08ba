package dev.mayfly.core.plan.veto;

import java.time.Instant;
import java.util.Optional;

/** Why a pool gets no more machines now. */
public sealed interface PoolVeto extends Veto {
  String pool();

  /**
   * It has as many workers as it may.
   *
   * @param counted launching, booting, ready or draining
   */
  record AtMaximum(String pool, int max, int counted) implements PoolVeto {}

  /**
   * A task takes more workers at the same time than it may have now.
   *
   * @param has how many are free or on their way for it
   */
  record GangAtMaximum(String pool, int max, int gang, int has) implements PoolVeto {}

  /** Its machines are people's own: none is launched. */
  record OwnMachines(String pool, int live, int max) implements PoolVeto {}

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
   * One more machine would cost more than the cluster may.
   *
   * @param usdPerHour the budget
   * @param cost of the machines that are there
   * @param price of one more
   * @param above whether the cost is above the budget already
   */
  record OverBudget(String pool, double usdPerHour, double cost, double price, boolean above)
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
