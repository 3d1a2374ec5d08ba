package dev.mayfly.core.query.cost;

import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What some part of a cluster costs, and what for. The six purposes add up to the total.
 *
 * @param name a day, a job's address, an owner, a pool or a zone; in parentheses, as no job and no
 *     owner is called, what belongs to none
 * @param uid of a job
 * @param tasks of jobs, by the largest part of a machine that each asks for
 * @param lost attempts that ended with their machine, or by Mayfly's plan, from their last
 *     checkpoint on
 * @param failed attempts that failed, timed out, were killed for memory or were stopped, from their
 *     last checkpoint on; absent in answers of before, and none of what ended before it was
 *     counted: that is in {@code tasks}
 * @param boot from when the cloud runs a machine to its first report
 * @param idle no task, also on machines that jobs keep after failures
 * @param end from the last task to the proof that the machine is gone
 * @param waste what was no task's work, by cause, the most expensive first: all but {@code tasks};
 *     absent in answers of before
 */
public record CostGroup(
    String name,
    Optional<String> uid,
    MachineCost total,
    MachineCost tasks,
    MachineCost lost,
    Optional<MachineCost> failed,
    MachineCost boot,
    MachineCost idle,
    MachineCost end,
    Optional<List<Waste>> waste) {
  public CostGroup {
    waste = waste.map(List::copyOf);
  }

  /** Boots, idle time and ends are no job's. */
  public static final String NO_JOB = "(no job)";

  /** Jobs without an owner. */
  public static final String NO_OWNER = "(no owner)";

  /** Jobs whose documents are deleted, or cannot be read. */
  public static final String DELETED = "(deleted jobs)";

  private static final Set<Purpose> LOST =
      Set.of(Purpose.LOST, Purpose.PREEMPTED, Purpose.DRAINED, Purpose.OUTRANKED, Purpose.TAKEN);
  private static final Set<Purpose> IDLE = Set.of(Purpose.IDLE, Purpose.KEPT);
  private static final Set<Purpose> FAILED = Set.of(Purpose.FAILED, Purpose.STOPPED);
  private static final double MILLIS_PER_HOUR = 3_600_000;

  static CostGroup of(String name, Optional<String> uid, Collection<Usage.Row> rows) {
    return new CostGroup(
        name,
        uid,
        sum(rows, _ -> true),
        of(Set.of(Purpose.TASKS), rows),
        of(LOST, rows),
        Optional.of(of(FAILED, rows)),
        of(Set.of(Purpose.BOOT), rows),
        of(IDLE, rows),
        of(Set.of(Purpose.END), rows),
        Optional.of(Waste.of(rows)));
  }

  private static MachineCost of(Set<Purpose> purposes, Collection<Usage.Row> rows) {
    return sum(rows, row -> purposes.contains(row.purpose()));
  }

  private static MachineCost sum(Collection<Usage.Row> rows, Predicate<Usage.Row> which) {
    return rows.stream()
        .filter(which)
        .map(CostGroup::cost)
        .reduce(MachineCost.NONE, MachineCost::plus);
  }

  /** Both together, under this one's name. */
  CostGroup plus(CostGroup o) {
    return new CostGroup(
        name,
        uid,
        total.plus(o.total),
        tasks.plus(o.tasks),
        lost.plus(o.lost),
        Optional.of(failedOrNone().plus(o.failedOrNone())),
        boot.plus(o.boot),
        idle.plus(o.idle),
        end.plus(o.end),
        waste.flatMap(some -> o.waste.map(others -> Waste.plus(some, others))));
  }

  /** What failed attempts cost, as far as it is counted. */
  public MachineCost failedOrNone() {
    return failed.orElse(MachineCost.NONE);
  }

  static MachineCost cost(Usage.Row row) {
    var hours = row.millis() / MILLIS_PER_HOUR;
    return row.usd()
        .map(usd -> new MachineCost(usd, hours, 0))
        .orElseGet(() -> new MachineCost(0, hours, hours));
  }
}
