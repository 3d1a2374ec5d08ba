package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Stops jobs. A stop is committed on the job. No lease is granted any more once the cached job
 * documents that grants use have expired; what runs is recalled at its agent's next sync.
 */
public final class JobStop {

  private final Context context;
  private final JobQueueWriter jobQueueWriter;
  private final JobCompletion jobCompletion;

  public JobStop(Context context) {
    this.context = context;
    jobQueueWriter = new JobQueueWriter(context);
    jobCompletion = new JobCompletion(context);
  }

  /**
   * Stops the jobs of that name that were published before {@code publishedAt}, including ones that
   * have not arrived yet. A stop without owner that finds no live job also leaves its time at the
   * bare name, for a job that arrives later; see {@link EarlyStops}.
   *
   * @param address as in {@link JobLookup}; the uid of a job whose name a newer one has stops
   *     nothing
   */
  public void stopNamed(String cluster, String address, Instant publishedAt, String by) {
    Transactions.retry(
        "the name " + address,
        () -> {
          var jobLookup = new JobLookup(context.ledger());
          var found = jobLookup.name(cluster, address);
          if (found.outdated()) return true;
          var writes = new ArrayList<>(withStop(found, publishedAt));
          var isOld = writes.isEmpty();
          if (!found.isLive() && found.isOthers(address))
            writes.addAll(withStop(jobLookup.exact(cluster, address), publishedAt));
          if (writes.isEmpty()) return true;
          if (!context.ledger().commit(writes).done()) return false;
          var job = found.uid().filter(_ -> !isOld);
          job.ifPresent(uid -> stop(new DocumentKey.OfJob(cluster, uid), publishedAt, by));
          return true;
        });
  }

  /** Leaves the stop at the name; empty if a newer command about the name is known. */
  private static List<LedgerWrite> withStop(JobLookup.Found found, Instant publishedAt) {
    var stored = found.document();
    var was = stored.map(VersionedDocument::value).orElseGet(() -> JobName.unused(found.key()));
    if (CommandOrder.of(was.lastCommandAt(), publishedAt) == CommandOrder.OLD) return List.of();
    var next = was.withStop(publishedAt);
    return List.of(
        stored.isPresent()
            ? new LedgerWrite.Update(next, stored.get().version())
            : new LedgerWrite.Create(next));
  }

  /** Stops one job if it was published before; a job that is ending or has ended is unchanged. */
  public void stop(DocumentKey.OfJob key, Instant publishedBefore, String by) {
    Transactions.retry(
        "job " + key.job(),
        () -> {
          var stored = context.ledger().read(key);
          if (stored.isEmpty() || stored.get().value().submittedAt().isAfter(publishedBefore))
            return true;
          var live =
              switch (stored.get().value().state()) {
                case JobState.Waiting _, JobState.Running _, JobState.Expanding _ -> true;
                case JobState.Stopping _, JobState.Finishing _, JobState.Ended _ -> false;
              };
          if (live && !context.ledger().commit(writes(stored.get(), by)).done()) return false;
          jobCompletion.completeIfDone(key);
          TriggerSender.send(context.bus(), Trigger.Reconcile.job(key));
          return true;
        });
  }

  private List<LedgerWrite> writes(VersionedDocument<Job> storedJob, String by) {
    var now = context.clock().instant();
    var job = storedJob.value();
    var owners =
        context
            .ledger()
            .query(new LedgerQuery.LeasedShards(job.cluster(), job.uid(), 1_000))
            .readableOnly()
            .stream()
            .flatMap(s -> s.value().owner().stream())
            .map(Shard.Owner::worker)
            .distinct()
            .toList();
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(
        new LedgerWrite.Update(
            job.keepingListed().with(new JobState.Stopping(now, by)), storedJob.version()));
    ledgerWrites.add(new LedgerWrite.Put(jobQueueWriter.event(job, "stopping", by)));
    // Signals work, so that every instance that grants leases reads the job again.
    ledgerWrites.add(new LedgerWrite.Signal(job.cluster(), now, true, owners));
    return ledgerWrites;
  }
}
