package dev.mayfly.core.query.cost;

import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * What machines cost that was no task's work, for one cause.
 *
 * @param cause why no task's work came of it
 */
public record Waste(Cause cause, MachineCost cost) {
  /** Why no task's work came of it. */
  public enum Cause {
    /** Attempts that failed, timed out or were killed for memory. */
    FAILED,
    /** Attempts that a person stopped. */
    STOPPED,
    /** Attempts whose machine the cloud took back. */
    PREEMPTED,
    /** Attempts that Mayfly ended by its own plan: a drain, a machine too old. */
    DRAINED,
    /** Attempts whose room a job of a higher priority got. */
    OUTRANKED,
    /** Attempts whose task another worker had been given, because their start was not known. */
    TAKEN,
    /**
     * Attempts whose machine fell silent or failed; and all that were lost before causes counted.
     */
    LOST,
    /** From when the cloud runs it to the first report. */
    BOOT,
    /** No task. */
    IDLE,
    /** No task, on machines that jobs keep after failures; before that was counted it is idle. */
    KEPT,
    /** From the last task to the proof that the machine is gone. */
    END
  }

  /** Those of some rows, the most expensive first; none of what cost no time. */
  static List<Waste> of(Collection<Usage.Row> rows) {
    var causes = new EnumMap<Cause, MachineCost>(Cause.class);
    for (var row : rows)
      cause(row.purpose())
          .forEach(cause -> causes.merge(cause, CostGroup.cost(row), MachineCost::plus));
    return sorted(causes.entrySet().stream().map(e -> new Waste(e.getKey(), e.getValue())));
  }

  /** Both together. */
  static List<Waste> plus(List<Waste> some, List<Waste> others) {
    var causes = new EnumMap<Cause, MachineCost>(Cause.class);
    Stream.concat(some.stream(), others.stream())
        .forEach(it -> causes.merge(it.cause, it.cost, MachineCost::plus));
    return sorted(causes.entrySet().stream().map(e -> new Waste(e.getKey(), e.getValue())));
  }

  private static List<Waste> sorted(Stream<Waste> all) {
    return all.filter(it -> it.cost.hours() > 0)
        .sorted(
            Comparator.comparingDouble((Waste it) -> -it.cost.usd())
                .thenComparingDouble(it -> -it.cost.hours())
                .thenComparing(Waste::cause))
        .toList();
  }

  private static Stream<Cause> cause(Purpose purpose) {
    return switch (purpose) {
      case TASKS -> Stream.empty();
      case FAILED -> Stream.of(Cause.FAILED);
      case STOPPED -> Stream.of(Cause.STOPPED);
      case PREEMPTED -> Stream.of(Cause.PREEMPTED);
      case DRAINED -> Stream.of(Cause.DRAINED);
      case OUTRANKED -> Stream.of(Cause.OUTRANKED);
      case TAKEN -> Stream.of(Cause.TAKEN);
      case LOST -> Stream.of(Cause.LOST);
      case BOOT -> Stream.of(Cause.BOOT);
      case IDLE -> Stream.of(Cause.IDLE);
      case KEPT -> Stream.of(Cause.KEPT);
      case END -> Stream.of(Cause.END);
    };
  }

  /** Half a sentence, behind an amount. */
  String text() {
    return switch (cause) {
      case FAILED -> "failed attempts";
      case STOPPED -> "stopped attempts";
      case PREEMPTED -> "attempts lost to preemptions";
      case DRAINED -> "attempts that drains ended";
      case OUTRANKED -> "attempts that a higher priority ended";
      case TAKEN -> "attempts whose task another machine had got";
      case LOST -> "attempts lost with silent or broken machines";
      case BOOT -> "boots";
      case IDLE -> "unused machines or parts of them";
      case KEPT -> "machines kept after failures";
      case END -> "ends of machines";
    };
  }
}
