package dev.mayfly.cli.output;

import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats workers. */
public final class WorkerLines {
  private WorkerLines() {}

  /** What is in use and what it costs has a column where some worker tells it. */
  public static Table table(List<WorkerStatus> workers, Instant now) {
    var gpus = workers.stream().anyMatch(w -> !w.gpus().isEmpty());
    var machines = workers.stream().anyMatch(w -> w.machine().isPresent());
    var columns =
        new ArrayList<>(
            List.of(
                Column.name("WORKER").least(14),
                Column.name("POOL").least(8).leaves(7),
                Column.word("STATE"),
                Column.number("AGE").leaves(5),
                Column.word("HEARTBEAT"),
                Column.number("IDLE").leaves(3),
                Column.number("TASKS"),
                Column.number("NEXT").leaves(6),
                Column.text("MACHINE").least(14).leaves(1)));
    var priced = workers.stream().anyMatch(w -> w.usd().isPresent());
    if (priced) {
      columns.add(8, Column.number("$/H").leaves(2));
      columns.add(9, Column.number("COST").leaves(4));
    }
    if (gpus) columns.add(8, Column.number("GPU/MEM"));
    if (machines) columns.add(8, Column.number("CPU/MEM").leaves(8));
    columns.add(Column.remark("NOTE").least(20));
    var table = new Table(columns);
    for (var w : workers) table.row(cells(w, machines, gpus, priced, now));
    return table;
  }

  private static List<TableCell> cells(
      WorkerStatus w, boolean machines, boolean gpus, boolean priced, Instant now) {
    var cells =
        new ArrayList<>(
            List.of(
                TableCell.of(w.name()),
                TableCell.of(w.pool()),
                TableCell.state(w.state()),
                TableCell.of(HumanFormat.age(w.createdAt(), now)),
                heartbeat(w, now),
                TableCell.of(w.idleSince().map(i -> HumanFormat.age(i, now)).orElse("-")),
                TableCell.of(running(w)),
                TableCell.of(held(w) - running(w))));
    if (machines)
      cells.add(
          TableCell.of(
              w.machine().map(use -> use.cpu() + "%/" + use.memoryPercent() + "%").orElse("-")));
    if (gpus) cells.add(TableCell.of(GpuSummary.of(w.gpus()).map(GpuSummary::shortly).orElse("-")));
    if (priced) {
      cells.add(usd(w.usdPerHour()));
      cells.add(usd(w.usd()));
    }
    cells.add(TableCell.of(w.machineType() + " " + w.zone()));
    cells.add(TableCell.of(note(w)));
    return cells;
  }

  private static TableCell usd(Optional<Double> amount) {
    return TableCell.of(amount.map(HumanFormat::usd).orElse("-"));
  }

  /** The time until the next sync is due, or how late it is. */
  private static TableCell heartbeat(WorkerStatus w, Instant now) {
    if (w.due().isEmpty()) return TableCell.of("-");
    var late = Duration.between(w.due().get(), now);
    if (late.isNegative() || late.isZero())
      return TableCell.of("in " + HumanFormat.age(now, w.due().get()));
    return new TableCell(HumanFormat.age(w.due().get(), now) + " late", Style.WARN);
  }

  private static long running(WorkerStatus w) {
    return w.leases().stream().mapToLong(WorkerStatus.LeaseView::running).sum();
  }

  /** Tasks that run there or do so next. */
  private static long held(WorkerStatus w) {
    return w.leases().stream().mapToLong(l -> l.end() - l.start() - l.done()).sum();
  }

  private static String note(WorkerStatus w) {
    // Whoever looks at a cordoned machine knows its problem; that it costs comes first.
    return w.reason()
        .filter(_ -> w.state().equals("cordoned"))
        .or(() -> problem(w))
        .or(w::reason)
        .orElseGet(() ->
            w.leases().stream()
                .map(WorkerStatus.LeaseView::jobName)
                .distinct()
                .collect(Collectors.joining(", ")));
  }

  private static Optional<String> problem(WorkerStatus w) {
    return w.problem()
        // The status page shows it once for the cluster.
        .filter(_ -> !w.problemKind().equals(Optional.of(MachineProblem.Kind.UNLIMITED)));
  }

  /**
   * Whether the machine ended before the agent's first sync, although it was due: one that was
   * given back before had no time to boot.
   */
  public static boolean neverBooted(WorkerStatus w) {
    var ended = w.state().equals("gone") || w.state().equals("lost");
    var early =
        w.ending().equals(Optional.of(Ending.GIVEN_BACK))
            && w.createdAt().plus(BootTime.LONGEST.dividedBy(2)).isAfter(w.since());
    return w.firstSyncAt().isEmpty() && ended && !early;
  }

  /** Whether the worker still exists. */
  public static boolean present(WorkerStatus w) {
    return !w.state().equals("gone");
  }
}
