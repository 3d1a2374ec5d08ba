package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * I29: the time of machines is counted once. What jobs used, what was idle, boots and ends add up
 * to the time for which the ledger had machines to be paid for, whoever adds machines up by day,
 * and a worker's own time goes on to its end.
 */
public final class UsageAddsUp implements Invariant {
  private final GroundTruth groundTruth;
  private long counted;
  private long machines;

  public UsageAddsUp(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch) {
      counted += change.after().map(UsageAddsUp::stored).orElse(0L);
      counted -= change.before().map(UsageAddsUp::stored).orElse(0L);
      if (change.after().orElse(null) instanceof Worker after) machines += paid(change, after);
    }
    if (counted != machines)
      throw new InvariantViolation(
          "I29",
          "machines lived for %d ms, and %d ms of them are counted: %s"
              .formatted(machines, counted, batch));
  }

  private static long stored(LedgerDocument document) {
    return switch (document) {
      case Worker worker ->
          worker.usage().stream()
              .flatMap(it -> it.entries().stream())
              .mapToLong(MachineUsage.Entry::millis)
              .sum();
      case Usage usage -> usage.rows().stream().mapToLong(Usage.Row::millis).sum();
      default -> 0;
    };
  }

  /** For how long the worker had a machine since the document before. */
  private static long paid(SimLedger.Change change, Worker after) {
    if (!(change.before().orElse(null) instanceof Worker before)) return 0;
    var from = before.usage().map(MachineUsage::countedTo);
    var to = after.usage().map(MachineUsage::countedTo);
    if (from.isEmpty() || to.isEmpty()) return 0;
    if (after.state() instanceof WorkerState.Gone gone
        && !(before.state() instanceof WorkerState.Gone)
        && !to.equals(Optional.of(gone.since().truncatedTo(ChronoUnit.MILLIS))))
      throw new InvariantViolation("I29", after.name() + " is gone, and counted until " + to);
    // What passed until its start is not paid for: it waits, or waited until a moment before.
    var start = after.usage().flatMap(MachineUsage::start).map(MachineUsage.Start::since);
    var since = start.filter(from.get()::isBefore).orElse(from.get());
    return isPaidFor(before.state()) ? Duration.between(since, to.get()).toMillis() : 0;
  }

  private static boolean isPaidFor(WorkerState state) {
    return switch (state) {
      case WorkerState.Launching _, WorkerState.Gone _ -> false;
      case WorkerState.Booting booting -> booting.queue().isEmpty();
      case WorkerState.Ready _, WorkerState.Draining _, WorkerState.Drained _, WorkerState.Lost _ ->
          true;
    };
  }

  @Override
  public void restored() {
    counted = groundTruth.all(LedgerDocument.class).stream().mapToLong(UsageAddsUp::stored).sum();
    machines = counted;
  }
}
