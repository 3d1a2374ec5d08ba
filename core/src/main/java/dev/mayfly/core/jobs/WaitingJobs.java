package dev.mayfly.core.jobs;

import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobQueueWriter;
import java.time.Instant;
import java.util.List;

/**
 * Jobs that wait for others: starts one whose predecessors ended, and ends one that can no longer
 * start (decision 70). Decides by what is stored, so each call may be lost or repeated.
 */
public final class WaitingJobs {
  private final Context context;
  private final PredecessorLookup predecessorLookup;
  private final JobQueueWriter jobQueueWriter;

  public WaitingJobs(Context context) {
    this.context = context;
    predecessorLookup = new PredecessorLookup(context.ledger(), context.clock());
    jobQueueWriter = new JobQueueWriter(context);
  }

  /** The state of a job whose tasks are not listed. */
  static JobState initialState(JobSpec spec, Instant now) {
    return spec.admission().after().isEmpty()
        ? new JobState.Expanding("", 0, -1)
        : new JobState.Waiting(now);
  }

  /** The job with the predecessors that are known now. */
  Job resolved(Job job) {
    var rules = job.spec().admission();
    var known = predecessorLookup.resolved(job);
    return known.equals(rules) ? job : job.withSpec(job.spec().withAdmission(known));
  }

  /**
   * Starts the job or ends it, if its predecessors have ended; a job that does not wait is
   * unchanged. Once it has started, its tasks must be listed.
   */
  public void advance(DocumentKey.OfJob key) {
    Transactions.retry(
        "job " + key.job(),
        () -> {
          var stored = context.ledger().read(key);
          return stored.isEmpty()
              || !(stored.get().value().state() instanceof JobState.Waiting waiting)
              || advance(stored.get(), waiting);
        });
  }

  private boolean advance(VersionedDocument<Job> stored, JobState.Waiting waiting) {
    var job = resolved(stored.value());
    var decision =
        StartDecision.of(
            job.spec().admission(),
            waiting.since(),
            context.clock().instant(),
            uid ->
                context
                    .ledger()
                    .read(new DocumentKey.OfJob(job.cluster(), uid))
                    .map(found -> found.value().state()));
    return switch (decision) {
      case StartDecision.Start _ -> {
        var next = job.with(new JobState.Expanding("", 0, -1));
        yield context
            .ledger()
            .commit(
                List.of(
                    new LedgerWrite.Update(next, stored.version()),
                    new LedgerWrite.Put(
                        jobQueueWriter.event(next, "started", "its predecessors have ended"))))
            .done();
      }
      case StartDecision.Wait _ ->
          job.equals(stored.value())
              || context
                  .ledger()
                  .commit(List.of(new LedgerWrite.Update(job, stored.version())))
                  .done();
      case StartDecision.End end -> end(stored, end);
    };
  }

  /** Ends a waiting job; one that no longer waits is unchanged. */
  public void end(DocumentKey.OfJob key, StartDecision.End end) {
    Transactions.retry(
        "job " + key.job(),
        () -> {
          var stored = context.ledger().read(key);
          return stored.isEmpty()
              || !(stored.get().value().state() instanceof JobState.Waiting)
              || end(stored.get(), end);
        });
  }

  private boolean end(VersionedDocument<Job> stored, StartDecision.End end) {
    var job = stored.value();
    var unstarted =
        JobState.Finishing.unstarted(context.clock().instant(), end.result(), end.reason());
    var next = new LedgerWrite.Update(job.with(unstarted), stored.version());
    if (!context.ledger().commit(List.of(next)).done()) return false;
    TriggerSender.send(context.bus(), new Trigger.Finalize(job.cluster(), job.uid()));
    return true;
  }
}
