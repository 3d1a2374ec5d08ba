package dev.mayfly.core.state.job;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.notification.NotifiedJob;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ConflictBackoff;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/** Adds jobs to the queue and removes them, in the batch that changes the job. */
public final class JobQueueWriter {
  private static final int MAX_TRIES = 8;

  private final Context context;

  public JobQueueWriter(Context context) {
    this.context = context;
  }

  /**
   * Commits the writes together with the job's row in the queue and a change signal. Only a
   * conflict on the queue is retried; another conflict is returned. Throws {@link
   * InvalidInputException} if the queue is full.
   */
  public CommitResult enqueue(Job job, List<LedgerWrite> ledgerWrites) {
    return enqueueAll(List.of(job), ledgerWrites);
  }

  /** The same for several jobs of one cluster: all or none. */
  public CommitResult enqueueAll(List<Job> jobs, List<LedgerWrite> ledgerWrites) {
    var cluster = jobs.getFirst().cluster();
    var all = new ArrayList<>(ledgerWrites);
    all.add(new LedgerWrite.Signal(cluster, context.clock().instant(), true, List.of(), true));
    return commit(
        cluster,
        all,
        (queue, now) -> {
          var next = queue;
          for (var job : jobs) {
            checkRoom(next, job);
            next = next.with(JobQueue.row(job), now);
          }
          return next;
        });
  }

  /** The same for jobs that end without having run: they are no longer listed as waiting. */
  public CommitResult leave(List<Job> jobs, List<LedgerWrite> ledgerWrites) {
    return commit(
        jobs.getFirst().cluster(),
        ledgerWrites,
        (queue, now) -> {
          var next = queue;
          for (var job : jobs) next = next.without(job.uid(), now);
          return next;
        });
  }

  /** The same for a job that waits for others: it is listed in the queue and has no row. */
  public CommitResult enqueueWaiting(Job job, List<LedgerWrite> ledgerWrites) {
    return commit(
        job.cluster(),
        ledgerWrites,
        (queue, now) -> {
          checkWaitingRoom(queue, job);
          return queue.plusWaiting(job.uid(), now);
        });
  }

  private CommitResult commit(
      String cluster,
      List<LedgerWrite> ledgerWrites,
      BiFunction<JobQueue, Instant, JobQueue> change) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var now = context.clock().instant();
      var all = new ArrayList<>(ledgerWrites);
      var stored = context.ledger().read(new DocumentKey.OfJobQueue(cluster));
      var before =
          stored
              .map(VersionedDocument::value)
              .orElseGet(() -> JobQueue.of(cluster, now, List.of()));
      var after = change.apply(before, now);
      all.add(
          stored.isPresent()
              ? new LedgerWrite.Update(after, stored.get().version())
              : new LedgerWrite.Create(after));
      var commitResult = context.ledger().commit(all);
      if (!(commitResult instanceof CommitResult.Conflict c
          && c.key() instanceof DocumentKey.OfJobQueue)) return commitResult;
      pause(tries);
    }
    throw new UnavailableException(
        "the queue of cluster " + cluster + " changes too fast; the message is delivered again");
  }

  /**
   * Throws {@link InvalidInputException} if the queue has no room for the job now. It may be full
   * when the job is added.
   */
  public void checkRoom(Job job) {
    var stored = context.ledger().read(new DocumentKey.OfJobQueue(job.cluster()));
    if (stored.isEmpty()) return;
    if (job.state() instanceof JobState.Waiting) checkWaitingRoom(stored.get().value(), job);
    else checkRoom(stored.get().value(), job);
  }

  private static void checkRoom(JobQueue jobQueue, Job job) {
    if (!jobQueue.isFull() || jobQueue.rows().stream().anyMatch(r -> r.job().equals(job.uid())))
      return;
    throw new InvalidInputException(
        "cluster",
        "the queue of cluster %s is full: %,d jobs run or wait there; wait until some of them end, stop some, or submit one job with many tasks"
            .formatted(job.spec().cluster(), jobQueue.rows().size()));
  }

  private static void checkWaitingRoom(JobQueue jobQueue, Job job) {
    if (jobQueue.waiting().size() < JobQueue.MOST_WAITING || jobQueue.has(job.uid())) return;
    throw new InvalidInputException(
        "after",
        "%,d jobs of cluster %s wait for others already, which is the most; submit it when some of them have started, or stop some"
            .formatted(jobQueue.waiting().size(), job.spec().cluster()));
  }

  /**
   * Stores a job's end: its name becomes free and its row leaves the queue. False if another writer
   * changed the job itself; conflicts on its name and the queue are retried. Jobs that may have
   * waited for it are looked at.
   */
  public boolean finish(VersionedDocument<Job> storedJob, Job ended) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var queue = context.ledger().read(new DocumentKey.OfJobQueue(ended.cluster()));
      var commitResult = context.ledger().commit(endWrites(storedJob, ended, queue));
      if (commitResult.done()) {
        if (queue.filter(q -> !q.value().waiting().isEmpty()).isPresent())
          TriggerSender.send(context.bus(), Trigger.Reconcile.job(ended.key()));
        return true;
      }
      if (commitResult instanceof CommitResult.Conflict c && c.key().equals(ended.key()))
        return false;
      pause(tries);
    }
    throw new UnavailableException("the queue of cluster " + ended.cluster() + " changes too fast");
  }

  /** Many instances may change the queue at once; on a laptop there is one. */
  private void pause(int conflicts) {
    var _ =
        context
            .executor()
            .waitUntil(
                context.clock().instant().plus(ConflictBackoff.delay(conflicts, context.ids())));
  }

  private List<LedgerWrite> endWrites(
      VersionedDocument<Job> storedJob, Job ended, Optional<VersionedDocument<JobQueue>> queue) {
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(ended, storedJob.version()));
    var name = context.ledger().read(ended.nameKey());
    if (name.isPresent() && name.get().value().job().filter(ended.uid()::equals).isPresent()) {
      ledgerWrites.add(new LedgerWrite.Update(name.get().value().ended(), name.get().version()));
    }
    if (queue.isPresent() && queue.get().value().has(ended.uid()))
      ledgerWrites.add(
          new LedgerWrite.Update(
              queue.get().value().without(ended.uid(), context.clock().instant()),
              queue.get().version()));
    if (ended.state() instanceof JobState.Ended end)
      ledgerWrites.add(new LedgerWrite.Put(endEvent(ended, end)));
    return ledgerWrites;
  }

  /** The event of a job's end, of which people are notified. */
  public EventRecord endEvent(Job job, JobState.Ended end) {
    var told =
        new NotifiedJob(
            job.spec().name(), job.uid(), job.spec().owner(), end.totals(), end.outcome());
    return event(job, end.result().name().toLowerCase(Locale.ROOT), end.reason())
        .with(PendingNotification.jobEnded(told));
  }

  public EventRecord event(Job job, String what, String why) {
    return context.event(job.cluster(), "job/" + job.spec().address(), what, why);
  }
}
