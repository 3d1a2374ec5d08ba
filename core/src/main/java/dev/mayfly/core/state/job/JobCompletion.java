package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import java.util.List;

/** Completes a job that has nothing left to run. The tick repeats what is missed here. */
public final class JobCompletion {
  private final Context context;

  public JobCompletion(Context context) {
    this.context = context;
  }

  /**
   * Moves a running job whose tasks have all ended, or a stopping job without leases, to FINISHING
   * and triggers its finalization. Losing a race to the same change is not an error.
   */
  public void completeIfDone(DocumentKey.OfJob key) {
    var stored = context.ledger().read(key);
    if (stored.isEmpty()) return;
    var job = stored.get().value();
    if (!isComplete(job)) return;
    var now = context.clock().instant();
    var next =
        job.with(
            job.state() instanceof JobState.Stopping s
                ? JobState.Finishing.stopped(now, s.by())
                : new JobState.Finishing(now, false));
    if (context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, stored.get().version())))
        .done()) TriggerSender.send(context.bus(), new Trigger.Finalize(key.cluster(), key.job()));
  }

  /**
   * The same for a cached job: while it runs and has open shards, nothing else is read. If it was
   * stopped since, the stop or the tick checks again.
   */
  public void completeIfDone(Job seen) {
    if (seen.state() instanceof JobState.Running && !isComplete(seen)) return;
    completeIfDone(seen.key());
  }

  private boolean isComplete(Job job) {
    return switch (job.state()) {
      case JobState.Running r ->
          !job.tasks().awaitsMore(context.clock().instant())
              && context
                  .ledger()
                  .query(new LedgerQuery.OpenShards(job.cluster(), job.uid(), 1))
                  .isEmpty();
      case JobState.Stopping s ->
          context
              .ledger()
              .query(new LedgerQuery.LeasedShards(job.cluster(), job.uid(), 1))
              .isEmpty();
      case JobState.Waiting w -> false;
      case JobState.Expanding e -> false;
      case JobState.Finishing f -> false;
      case JobState.Ended e -> false;
    };
  }
}
