package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.core.state.TriggerSender;
import java.time.InstantSource;
import java.util.List;

/** Moves a job on that has nothing left to run. The tick does the same for what is missed here. */
public final class JobCompletion {
  private final Ledger ledger;
  private final TriggerBus triggerBus;
  private final InstantSource clock;

  public JobCompletion(Ledger ledger, TriggerBus triggerBus, InstantSource clock) {
    this.ledger = ledger;
    this.triggerBus = triggerBus;
    this.clock = clock;
  }

  /**
   * A running job whose tasks all ended, or a stopping one that nobody runs any more, becomes
   * FINISHING; the audit is sent for. Losing the race to somebody who does the same is no error.
   */
  public void completeIfDone(DocumentKey.OfJob key) {
    var versionedDocument = ledger.read(key);
    if (versionedDocument.isEmpty()) return;
    var job = versionedDocument.get().value();
    if (!overdue(job)) return;
    var stopped = job.state() instanceof JobState.Stopping;
    var next = job.with(new JobState.Finishing(clock.instant(), stopped));
    if (ledger
        .commit(List.of(new LedgerWrite.Update(next, versionedDocument.get().version())))
        .done()) TriggerSender.send(triggerBus, new Trigger.Audit(key.cluster(), key.job()));
  }

  /**
   * The same for a job as it was a while ago: while it runs and has open shards, nothing else is
   * read. If it was stopped since, whoever stopped it or the tick looks again.
   */
  public void completeIfDone(Job seen) {
    if (seen.state() instanceof JobState.Running && !overdue(seen)) return;
    completeIfDone(seen.key());
  }

  private boolean overdue(Job job) {
    return switch (job.state()) {
      case JobState.Running r ->
          ledger.query(new LedgerQuery.OpenShards(job.cluster(), job.uid(), 1)).isEmpty();
      case JobState.Stopping s ->
          ledger.query(new LedgerQuery.LeasedShards(job.cluster(), job.uid(), 1)).isEmpty();
      case JobState.Expanding e -> false;
      case JobState.Finishing f -> false;
      case JobState.Ended e -> false;
    };
  }
}
