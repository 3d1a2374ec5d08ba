package dev.mayfly.core.state.job;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Stops jobs. A stop is committed on the job. No lease is granted any more once the cached job
 * documents that grants use have expired; what runs is recalled at its agent's next sync.
 */
public final class JobStop {
  private static final int TRIES = 8;

  private final Ledger ledger;
  private final TriggerBus triggerBus;
  private final JobQueueWriter jobQueueWriter;
  private final JobCompletion jobCompletion;
  private final InstantSource clock;

  public JobStop(
      Ledger ledger,
      TriggerBus triggerBus,
      Alarms alarms,
      IdGenerator idGenerator,
      InstantSource clock) {
    this.ledger = ledger;
    this.triggerBus = triggerBus;
    jobQueueWriter = new JobQueueWriter(ledger, alarms, idGenerator, clock);
    jobCompletion = new JobCompletion(ledger, triggerBus, clock);
    this.clock = clock;
  }

  /**
   * Stops the jobs of that name that were published before {@code publishedAt}, including ones that
   * have not arrived yet.
   */
  public void stopNamed(String cluster, String name, Instant publishedAt, String by) {
    for (var tries = 0; tries < TRIES; tries++) {
      var versionedDocument = ledger.read(new DocumentKey.OfJobName(cluster, name));
      var was =
          versionedDocument
              .map(VersionedDocument::value)
              .orElseGet(() -> JobName.unused(cluster, name));
      if (CommandOrder.of(was.lastCommandAt(), publishedAt) == CommandOrder.OLD) return;
      var next = was.withStop(publishedAt);
      LedgerWrite ledgerWrite =
          versionedDocument.isPresent()
              ? new LedgerWrite.Update(next, versionedDocument.get().version())
              : new LedgerWrite.Create(next);
      if (!ledger.commit(List.of(ledgerWrite)).done()) continue;
      next.job().ifPresent(uid -> stop(new DocumentKey.OfJob(cluster, uid), publishedAt, by));
      return;
    }
    throw new UnavailableException(
        "the name " + name + " changes too fast; the message is delivered again");
  }

  /** Stops one job if it was published before; a job that is ending or has ended is unchanged. */
  public void stop(DocumentKey.OfJob key, Instant publishedBefore, String by) {
    for (var tries = 0; tries < TRIES; tries++) {
      var versionedDocument = ledger.read(key);
      if (versionedDocument.isEmpty()
          || versionedDocument.get().value().submittedAt().isAfter(publishedBefore)) return;
      var job = versionedDocument.get().value();
      var live =
          job.state() instanceof JobState.Running || job.state() instanceof JobState.Expanding;
      if (live && !ledger.commit(writes(versionedDocument.get(), by)).done()) continue;
      jobCompletion.completeIfDone(key);
      TriggerSender.send(triggerBus, Trigger.Look.job(key));
      return;
    }
    throw new UnavailableException(
        "job " + key.job() + " changes too fast; the message is delivered again");
  }

  private List<LedgerWrite> writes(VersionedDocument<Job> versionedDocument, String by) {
    var now = clock.instant();
    var job = versionedDocument.value();
    var owners =
        ledger
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
            job.with(new JobState.Stopping(now, by)), versionedDocument.version()));
    ledgerWrites.add(new LedgerWrite.Put(jobQueueWriter.event(job, "stopping", by)));
    // Signals work, so that every instance that grants leases reads the job again.
    ledgerWrites.add(new LedgerWrite.Notify(job.cluster(), now, true, owners));
    return ledgerWrites;
  }
}
