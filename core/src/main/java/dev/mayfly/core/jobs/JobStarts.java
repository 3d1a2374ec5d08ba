package dev.mayfly.core.jobs;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.StartDecision;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobQueueWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Starts the waiting jobs of a cluster whose predecessors ended, many at once: one commit claims
 * them, so that no other call starts the same, and another stores all that are small, with one
 * change of the job queue. The others go on alone ({@link JobExpansion}). Each commit may be the
 * last of this call: claims end with their time, and ticks continue.
 */
public final class JobStarts {
  /** Jobs that are claimed together. */
  static final int BATCH = 50;

  /** Batches of one call; a trigger continues. */
  private static final int BATCHES = 4;

  /** After this time a call begins no other job, so that it stores before its claims end. */
  private static final Duration LONGEST = ResumableWork.CLAIM.dividedBy(2);

  private final Context context;
  private final JobExpansion jobExpansion;
  private final JobQueueWriter jobQueueWriter;
  private final WaitingJobs waitingJobs;

  public JobStarts(Context context, JobExpansion jobExpansion, JobQueueWriter jobQueueWriter) {
    this.context = context;
    this.jobExpansion = jobExpansion;
    this.jobQueueWriter = jobQueueWriter;
    waitingJobs = new WaitingJobs(context);
  }

  /**
   * A changed job.
   *
   * @param more writes to commit with it
   */
  private record Change(Job next, String version, List<LedgerWrite> more) {
    LedgerWrite update() {
      return new LedgerWrite.Update(next, version);
    }
  }

  /** Starts or ends what is due, and sends the triggers that continue. */
  public void start(String uid) {
    var cluster = context.ledger().read(new DocumentKey.OfCluster(uid));
    if (cluster.isEmpty()) return;
    var due = waitingJobs.due(uid);
    for (var batch : batches(due.stream().filter(d -> !starts(d)).toList()))
      finalizeAll(batch.stream().map(this::ended).toList());
    var batches = batches(due.stream().filter(JobStarts::starts).toList());
    for (var batch : batches.subList(0, Math.min(batches.size(), BATCHES)))
      begin(cluster.get().value(), batch.stream().map(this::started).toList());
    if (batches.size() > BATCHES) TriggerSender.send(context.bus(), new Trigger.StartWaiting(uid));
  }

  private static boolean starts(WaitingJobs.Due due) {
    return due.decision() instanceof StartDecision.Start;
  }

  private static List<List<WaitingJobs.Due>> batches(List<WaitingJobs.Due> due) {
    var batches = new ArrayList<List<WaitingJobs.Due>>();
    for (var from = 0; from < due.size(); from += BATCH)
      batches.add(due.subList(from, Math.min(due.size(), from + BATCH)));
    return batches;
  }

  private Change ended(WaitingJobs.Due due) {
    var end = (StartDecision.End) due.decision();
    return new Change(waitingJobs.ended(due.job(), end), due.version(), List.of());
  }

  private Change started(WaitingJobs.Due due) {
    var claimed =
        new JobState.Expanding("", 0, -1)
            .claimed(context.clock().instant().plus(ResumableWork.CLAIM));
    var event = jobQueueWriter.event(due.job(), "started", "its predecessors have ended");
    var job = due.job().with(claimed).withStart(context.clock().instant());
    return new Change(job, due.version(), List.of(new LedgerWrite.Put(event)));
  }

  private void begin(Cluster cluster, List<Change> batch) {
    var end = context.clock().instant().plus(LONGEST);
    var claimed =
        commit(batch, (_, writes) -> context.ledger().commit(writes)).stream()
            .map(j -> new Change(j.value(), j.version(), List.of()))
            .toList();
    try {
      store(claimed.stream().map(c -> begun(c, cluster, end)).toList());
    } catch (MayflyException failed) {
      // Each is tried alone.
      expandAll(claimed);
      throw failed;
    }
  }

  /** A job that is begun too late goes on alone. */
  private Change begun(Change claimed, Cluster cluster, Instant end) {
    if (!context.clock().instant().isBefore(end)) return claimed;
    var step = jobExpansion.begin(claimed.next, cluster);
    return new Change(step.next(), claimed.version, step.more());
  }

  private void store(List<Change> begun) {
    expandAll(begun.stream().filter(c -> c.next.state() instanceof JobState.Expanding).toList());
    finalizeAll(begun.stream().filter(c -> c.next.state() instanceof JobState.Finishing).toList());
    var some = new ArrayList<Change>();
    var writes = 0;
    for (var change : begun) {
      if (!(change.next.state() instanceof JobState.Running)) continue;
      writes += change.more.size() + 1;
      // One more is the queue's.
      if (writes >= BatchSize.MAX_WRITES) {
        runAll(some);
        some.clear();
        writes = change.more.size() + 1;
      }
      some.add(change);
    }
    runAll(some);
  }

  private void runAll(List<Change> changes) {
    if (changes.isEmpty()) return;
    var stored =
        commit(
            changes,
            (left, writes) ->
                jobQueueWriter.enqueueAll(left.stream().map(Change::next).toList(), writes));
    if (stored.isEmpty()) return;
    var uids = stored.stream().map(j -> j.value().uid()).toList();
    var cluster = stored.getFirst().value().cluster();
    TriggerSender.send(context.bus(), new Trigger.Reconcile(cluster, List.of(), uids));
  }

  /** Jobs that cannot run, or need not: they are no longer listed as waiting. */
  private void finalizeAll(List<Change> changes) {
    var stored =
        commit(
            changes,
            (left, writes) ->
                jobQueueWriter.leave(left.stream().map(Change::next).toList(), writes));
    for (var job : stored)
      TriggerSender.send(
          context.bus(), new Trigger.Finalize(job.value().cluster(), job.value().uid()));
  }

  private void expandAll(List<Change> changes) {
    var now = context.clock().instant();
    var released =
        changes.stream()
            .map(c -> new Change(c.next.with(c.next.state().released(now)), c.version, c.more))
            .toList();
    for (var job : commit(released, (_, writes) -> context.ledger().commit(writes)))
      TriggerSender.send(context.bus(), WaitingJobs.trigger(job.value()));
  }

  /** Commits the changes at once, without those whose job another writer changed. */
  private List<VersionedDocument<Job>> commit(
      List<Change> changes, BiFunction<List<Change>, List<LedgerWrite>, CommitResult> writer) {
    var left = new ArrayList<>(changes);
    while (!left.isEmpty()) {
      var writes = new ArrayList<LedgerWrite>();
      left.forEach(change -> writes.add(change.update()));
      left.forEach(change -> writes.addAll(change.more));
      switch (writer.apply(left, writes)) {
        case CommitResult.Done done -> {
          var stored = new ArrayList<VersionedDocument<Job>>();
          for (var i = 0; i < left.size(); i++)
            stored.add(new VersionedDocument<>(left.get(i).next, done.versions().get(i)));
          return stored;
        }
        case CommitResult.Conflict conflict -> left.retainAll(unchanged(left, conflict.key()));
      }
    }
    return List.of();
  }

  private List<Change> unchanged(List<Change> changes, DocumentKey<?> conflict) {
    var keys = changes.stream().map(c -> c.next.key()).toList();
    var versions =
        context.ledger().readAll(keys).readableOnly().stream()
            .collect(
                Collectors.toMap(
                    j -> j.value().uid(), VersionedDocument::version, (first, _) -> first));
    var same =
        changes.stream()
            .filter(c -> c.version.equals(versions.get(c.next.uid())) && !isOf(conflict, c.next))
            .toList();
    if (same.size() == changes.size())
      throw new UnavailableException(conflict.path() + " changes too fast");
    return same;
  }

  private static boolean isOf(DocumentKey<?> key, Job job) {
    return key.equals(job.key())
        || (key instanceof DocumentKey.OfShard shard && shard.job().equals(job.uid()));
  }
}
