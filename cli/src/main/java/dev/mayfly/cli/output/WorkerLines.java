package dev.mayfly.cli.output;

import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats workers. */
public final class WorkerLines {
  private WorkerLines() {}

  /** The use of GPUs has a column where some worker has any. */
  public static Table table(List<WorkerStatus> workers, Instant now) {
    var gpus = workers.stream().anyMatch(w -> !w.gpus().isEmpty());
    var titles =
        new ArrayList<>(
            List.of("WORKER", "POOL", "STATE", "AGE", "HEARTBEAT", "IDLE", "TASKS", "MACHINE"));
    if (gpus) titles.add(7, "GPU/MEM");
    titles.add("NOTE");
    var table = new Table(titles.toArray(String[]::new)).right(3, 6).names(0, 1).remarks();
    for (var w : workers) table.row(cells(w, gpus, now).toArray(TableCell[]::new));
    return table;
  }

  private static List<TableCell> cells(WorkerStatus w, boolean gpus, Instant now) {
    var cells =
        new ArrayList<>(
            List.of(
                TableCell.of(w.name()),
                TableCell.of(w.pool()),
                TableCell.state(w.state()),
                TableCell.of(HumanFormat.age(w.createdAt(), now)),
                heartbeat(w, now),
                TableCell.of(w.idleSince().map(i -> HumanFormat.age(i, now)).orElse("-")),
                TableCell.of(tasks(w))));
    if (gpus) cells.add(TableCell.of(GpuSummary.of(w.gpus()).map(GpuSummary::shortly).orElse("-")));
    cells.add(TableCell.of(w.machineType() + " " + w.zone()));
    cells.add(TableCell.of(note(w)));
    return cells;
  }

  /** The time until the next sync is due, or how late it is. */
  private static TableCell heartbeat(WorkerStatus w, Instant now) {
    if (w.due().isEmpty()) return TableCell.of("-");
    var late = Duration.between(w.due().get(), now);
    if (late.isNegative() || late.isZero())
      return TableCell.of("due in " + HumanFormat.age(now, w.due().get()));
    return new TableCell(HumanFormat.age(w.due().get(), now) + " late", Style.WARN);
  }

  /** Running tasks, and leased tasks if there are more. */
  private static String tasks(WorkerStatus w) {
    var held = w.leases().stream().mapToLong(l -> l.end() - l.start() - l.done()).sum();
    var running = w.leases().stream().mapToLong(WorkerStatus.LeaseView::running).sum();
    return HumanFormat.count(running) + (held > running ? " of " + HumanFormat.count(held) : "");
  }

  private static String note(WorkerStatus w) {
    return w.problem()
        // The status page shows it once for the cluster.
        .filter(p -> !MachineProblem.of(p).is(MachineProblem.Kind.UNLIMITED))
        .or(w::reason)
        .orElseGet(() ->
            w.leases().stream()
                .map(WorkerStatus.LeaseView::jobName)
                .distinct()
                .collect(Collectors.joining(", ")));
  }

  /** Whether the machine ended before the agent's first sync. */
  public static boolean neverBooted(WorkerStatus w) {
    return w.firstSyncAt().isEmpty() && (w.state().equals("gone") || w.state().equals("lost"));
  }

  /** Whether the worker still exists. */
  public static boolean present(WorkerStatus w) {
    return !w.state().equals("gone");
  }
}
