package dev.mayfly.core.state.worker;

import dev.mayfly.core.lifecycle.WorkerEvent.DrainRequested;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.plan.capacity.MachineLife;
import dev.mayfly.core.state.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;

/**
 * Requests to drain workers.
 *
 * <p><b>Must:</b> leave every running task the grace of its job, unless the machine's life ends
 * before; never name a deadline that the machine does not live to see.
 */
public final class DrainRequests {
  private final Context context;

  public DrainRequests(Context context) {
    this.context = context;
  }

  /**
   * A request for now. If the machine's life is over sooner than its tasks would have to end, then
   * that is the reason.
   *
   * @param deadline when running tasks must have ended, if their jobs' grace allows
   */
  public DrainRequested of(Cluster cluster, Worker worker, DrainReason reason, Instant deadline) {
    var now = context.clock().instant();
    if (worker.held().isEmpty()) return new DrainRequested(now, reason, deadline);
    var due = later(deadline, now.plus(longestGrace(worker)));
    return MachineLife.of(cluster, worker)
        .map(life -> new DrainRequested(now, life.ending(), last(life, now)))
        .filter(end -> end.deadline().isBefore(due))
        .orElseGet(() -> new DrainRequested(now, reason, due));
  }

  /** A request that comes too late leaves what the cloud may still leave. */
  private Instant last(MachineLife life, Instant now) {
    return later(life.deadline(), now.plus(context.timings().downDeadline()));
  }

  /** The grace of a job that cannot be read now is not known. */
  private Duration longestGrace(Worker worker) {
    var jobs =
        worker.held().stream()
            .map(held -> new DocumentKey.OfJob(worker.cluster(), held.job()))
            .distinct()
            .toList();
    return context.ledger().readAll(jobs).readableOnly().stream()
        .map(job -> job.value().spec().run().grace())
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
