package dev.mayfly.core.query.cost;

import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Optional;

/**
 * What some part of a cluster costs, and what for. The five purposes add up to the total.
 *
 * @param name a day, a job's address, an owner, a pool or a zone; in parentheses, as no job and no
 *     owner is called, what belongs to none
 * @param uid of a job
 * @param tasks of jobs, by the largest part of a machine that each asks for
 * @param lost attempts that lost machines took with them
 * @param boot from the accepted order to the first report
 * @param idle no task
 * @param end from the last task to the proof that the machine is gone
 */
public record CostGroup(
    String name,
    Optional<String> uid,
    MachineCost total,
    MachineCost tasks,
    MachineCost lost,
    MachineCost boot,
    MachineCost idle,
    MachineCost end) {
  /** Boots, idle time and ends are no job's. */
  public static final String NO_JOB = "(no job)";

  /** Jobs without an owner. */
  public static final String NO_OWNER = "(no owner)";

  /** Jobs whose documents are deleted, or cannot be read. */
  public static final String DELETED = "(deleted jobs)";

  private static final double MILLIS_PER_HOUR = 3_600_000;

  static CostGroup of(String name, Optional<String> uid, Collection<Usage.Row> rows) {
    var sums = new EnumMap<Purpose, MachineCost>(Purpose.class);
    for (var purpose : Purpose.values()) sums.put(purpose, MachineCost.NONE);
    var total = MachineCost.NONE;
    for (var row : rows) {
      sums.merge(row.purpose(), cost(row), MachineCost::plus);
      total = total.plus(cost(row));
    }
    return new CostGroup(
        name,
        uid,
        total,
        sums.get(Purpose.TASKS),
        sums.get(Purpose.LOST),
        sums.get(Purpose.BOOT),
        sums.get(Purpose.IDLE),
        sums.get(Purpose.END));
  }

  /** Both together, under this one's name. */
  CostGroup plus(CostGroup o) {
    return new CostGroup(
        name,
        uid,
        total.plus(o.total),
        tasks.plus(o.tasks),
        lost.plus(o.lost),
        boot.plus(o.boot),
        idle.plus(o.idle),
        end.plus(o.end));
  }

  private static MachineCost cost(Usage.Row row) {
    var hours = row.millis() / MILLIS_PER_HOUR;
    return row.usd()
        .map(usd -> new MachineCost(usd, hours, 0))
        .orElseGet(() -> new MachineCost(0, hours, hours));
  }
}
