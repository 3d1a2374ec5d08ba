package dev.mayfly.cli.show;

import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.model.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Workers as lines. */
public final class WorkerLines {
  private WorkerLines() {}

  public static Table table(List<WorkerView> workers, Instant now) {
    var table =
        new Table("WORKER", "POOL", "STATE", "AGE", "HEARTBEAT", "IDLE", "TASKS", "MACHINE", "NOTE")
            .right(3, 6)
            .names(0, 1)
            .remarks();
    for (var w : workers)
      table.row(
          Cell.of(w.name()),
          Cell.of(w.pool()),
          Cell.state(w.state()),
          Cell.of(Words.age(w.createdAt(), now)),
          heartbeat(w, now),
          Cell.of(w.idleSince().map(i -> Words.age(i, now)).orElse("-")),
          Cell.of(tasks(w)),
          Cell.of(w.machineType() + " " + w.zone()),
          Cell.of(note(w)));
    return table;
  }

  /** Whether the next sync is still to come, or how late it is. */
  private static Cell heartbeat(WorkerView w, Instant now) {
    if (w.due().isEmpty()) return Cell.of("-");
    var late = Duration.between(w.due().get(), now);
    if (late.isNegative() || late.isZero()) return Cell.of("due " + Words.age(now, w.due().get()));
    return new Cell(Words.age(w.due().get(), now) + " late", Tone.WARN);
  }

  /** How many tasks run there, and of how many that it holds. */
  private static String tasks(WorkerView w) {
    var held = w.leases().stream().mapToLong(l -> l.end() - l.start() - l.done()).sum();
    var running = w.leases().stream().mapToLong(WorkerView.LeaseView::running).sum();
    return Words.count(running) + (held > running ? " of " + Words.count(held) : "");
  }

  private static String note(WorkerView w) {
    return w.problem()
        // Said once above, for all workers.
        .filter(p -> !p.startsWith(SyncReport.UNLIMITED))
        .or(w::reason)
        .orElseGet(() ->
            w.leases().stream()
                .map(WorkerView.LeaseView::jobName)
                .distinct()
                .collect(Collectors.joining(", ")));
  }

  /** Whether its machine ended before its agent ever spoke. */
  public static boolean neverBooted(WorkerView w) {
    return w.firstSyncAt().isEmpty() && (w.state().equals("gone") || w.state().equals("lost"));
  }

  /** Whether it is more than a memory. */
  public static boolean present(WorkerView w) {
    return !w.state().equals("gone");
  }
}
