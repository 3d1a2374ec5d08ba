package dev.mayfly.core.state.worker;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.lifecycle.ChargedTasks;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.HeldRuns;
import dev.mayfly.core.plan.capacity.KeptFolders;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.GangCoordinator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a worker up: its epoch is raised, so that its later reports change nothing, its leases go
 * back, and its machine must be deleted.
 *
 * <p>Work that must not run twice stays leased to the lost worker until its machine is proved gone.
 * A lease whose job or shard is unreadable stays until that is readable, because it may be such
 * work.
 */
public final class LeaseRevoker {
  private static final int MOST_CHARGED = 64;

  private final Context context;
  private final GangCoordinator gangCoordinator;
  private final StockoutRecorder stockoutRecorder;
  private final LossNotifications lossNotifications;

  public LeaseRevoker(Context context) {
    this.context = context;
    gangCoordinator = new GangCoordinator(context);
    stockoutRecorder = new StockoutRecorder(context.ledger());
    lossNotifications = new LossNotifications(context.ledger());
  }

  /**
   * Gives the worker up. A machine whose life was over by now was not lost.
   *
   * @param isOfZone whether its zone may do the same to the next machine; after a notice it may in
   *     any case
   * @return false if another writer changed the worker or one of its shards in between: read again
   */
  public boolean workerLost(
      VersionedDocument<Worker> storedWorker,
      FailureCause failureCause,
      String reason,
      boolean isOfZone) {
    var now = context.clock().instant();
    var worker = storedWorker.value();
    var loss = new LossCause(failureCause, reason).named(context.ledger(), worker, now);
    var revocation = revocation(worker, loss.cause(), loss.reason(), false, now);
    var next =
        UsageWrites.lost(worker, loss.cause(), now)
            .withEpoch(worker.epoch() + 1)
            .withLeases(revocation.kept(), now)
            .with(new WorkerState.Lost(now, loss.cause(), loss.reason()));
    var remembered = isOfZone || worker.notice().isPresent();
    var stockout = new ArrayList<LedgerWrite>();
    if (remembered) {
      stockoutRecorder.workerEnded(worker, loss.cause(), now).ifPresent(stockout::add);
      stockoutRecorder.lifeEnded(next, true, now).ifPresent(stockout::add);
    }
    var ends = KeptFolders.ends(worker, now);
    var event = event(next, word(loss.cause()), loss.reason() + ends, now);
    var told =
        lossNotifications
            .of(worker, loss.cause())
            .map(kind -> event.with(new PendingNotification(kind)))
            .orElse(event);
    if (!commit(storedWorker, next, revocation.writes(), stockout, told)) return false;
    triggerReconcile(next);
    return true;
  }

  private static String word(FailureCause failureCause) {
    return switch (failureCause) {
      case PREEMPTED -> "preempted";
      case END_OF_LIFE, DRAINED -> "ended";
      default -> "lost";
    };
  }

  /**
   * Returns all remaining leases of a worker whose machine is proved gone, and remembers that its
   * room came back. False as in {@link #workerLost}. Throws {@link UnreadableDocumentException}
   * while some cannot be returned.
   *
   * @param seen whether the cloud had the machine when its deletion was requested
   */
  public boolean machineGone(VersionedDocument<Worker> storedWorker, String reason, boolean seen) {
    if (storedWorker.value().inGang()) return goneInGang(storedWorker, reason, seen);
    var now = context.clock().instant();
    var worker = storedWorker.value();
    var failureCause =
        worker.state() instanceof WorkerState.Lost lost ? lost.cause() : FailureCause.LOST;
    var why = worker.state() instanceof WorkerState.Lost lost ? lost.reason() : reason;
    var revocation = revocation(worker, failureCause, why, true, now).all();
    var ending = Ending.of(worker.state(), worker.notice().isPresent()).orElse(Ending.LOST);
    var gone =
        worker
            .withEpoch(worker.epoch() + 1)
            .withLeases(revocation.kept(), now)
            .with(new WorkerState.Gone(now, reason, Optional.of(ending)));
    var next = UsageWrites.without(gone);
    // A worker that ended after a notice with nothing left to lose was preempted nevertheless.
    var more = new ArrayList<LedgerWrite>();
    UsageWrites.of(gone, now).ifPresent(more::add);
    if (!(worker.state() instanceof WorkerState.Lost))
      stockoutRecorder.lifeEnded(gone, worker.notice().isPresent(), now).ifPresent(more::add);
    if (worker.notice().isPresent())
      stockoutRecorder.workerEnded(worker, FailureCause.PREEMPTED, now).ifPresent(more::add);
    var returned = stockoutRecorder.roomReturned(worker, seen, now);
    returned.ifPresent(more::add);
    var event = event(next, "deleted", reason, now);
    if (!commit(storedWorker, next, revocation.writes(), more, event)) return false;
    // The reconcile after its loss has planned without it; new are its room, and work that waited
    // for the proof.
    if (!(worker.state() instanceof WorkerState.Lost)
        || returned.isPresent()
        || !revocation.writes().isEmpty()) triggerReconcile(next);
    return true;
  }

  /**
   * Its gangs come first: after a crash in between, the worker is unchanged and the next attempt
   * continues.
   */
  private boolean goneInGang(VersionedDocument<Worker> storedWorker, String reason, boolean seen) {
    // Sequentially: many machines of one gang may be found gone at once, and all change its
    // document.
    synchronized (gangCoordinator) {
      gangCoordinator.machineGone(storedWorker.value());
    }
    var after = context.ledger().read(storedWorker.value().key());
    return after.isPresent()
        && !after.get().value().inGang()
        && machineGone(after.get(), reason, seen);
  }

  /**
   * Returns the leases of a lost worker whose agent reports that nothing of them runs. False as in
   * {@link #workerLost}.
   */
  public boolean stopConfirmed(VersionedDocument<Worker> storedWorker, FailureCause failureCause) {
    var now = context.clock().instant();
    var why = "its agent reports that nothing runs any more";
    var revocation = revocation(storedWorker.value(), failureCause, why, true, now);
    var next = storedWorker.value().withLeases(revocation.kept(), now);
    if (next.equals(storedWorker.value())) return false;
    var event = event(next, "confirmed", why, now);
    if (!commit(storedWorker, next, revocation.writes(), List.of(), event)) return false;
    triggerReconcile(next);
    return true;
  }

  /**
   * What becomes of a worker's leases when it no longer has them.
   *
   * @param reason why, for people: it becomes evidence of the tasks and an event of their jobs
   */
  public Revocation revocation(
      Worker worker, FailureCause failureCause, String reason, boolean exclusiveToo, Instant now) {
    var unknown = new HashMap<String, UnreadableDocument>();
    var jobs = jobs(worker, unknown);
    var wanted =
        worker.held().stream()
            .filter(h -> !h.gang() && !unknown.containsKey(job(worker, h).path()))
            .filter(
                h -> exclusiveToo || !jobs.containsKey(h.job()) || !exclusive(jobs.get(h.job())))
            .toList();
    var shards = new HashMap<DocumentKey<?>, VersionedDocument<Shard>>();
    var found = context.ledger().readAll(wanted.stream().map(h -> shard(worker, h)).toList());
    for (var shard : found.readable(u -> unknown.put(u.path(), u)))
      shards.put(shard.value().key(), shard);
    var returned =
        wanted.stream().filter(h -> !unknown.containsKey(shard(worker, h).path())).toList();
    var kept = worker.held().stream().filter(h -> !returned.contains(h)).toList();
    var ledgerWrites = new ArrayList<LedgerWrite>();
    var lostHolder = new ShardTransitions.LostHolder(worker.name(), failureCause, reason);
    var requeueEvents = new RequeueEvents(lostHolder);
    var runs = HeldRuns.of(worker);
    for (var held : returned) {
      var shard = shards.get(shard(worker, held));
      var job = jobs.get(held.job());
      if (shard == null || job == null || shard.value().epoch() != held.epoch()) continue;
      var running = charged(held, shard.value(), runs.get(worker.held().indexOf(held)));
      var lost =
          ShardTransitions.lose(
              shard.value(), held.known(), running, lostHolder, job.spec().retries(), now);
      ledgerWrites.add(new LedgerWrite.Update(lost, shard.version()));
      requeueEvents.add(job, shard.value(), lost, running.tasks());
    }
    ledgerWrites.addAll(requeueEvents.writes(context, worker.cluster(), now));
    return new Revocation(kept, ledgerWrites, unknown.values().stream().findFirst());
  }

  /**
   * @param kept leases that stay until the machine is proved gone, or until they are readable
   * @param writes the shards that go back, and an event for each of their jobs
   * @param unknown an unreadable document that keeps a lease from going back
   */
  public record Revocation(
      List<Worker.Held> kept, List<LedgerWrite> writes, Optional<UnreadableDocument> unknown) {
    /** The revocation if it is complete. Throws {@link UnreadableDocumentException} otherwise. */
    public Revocation all() {
      unknown.ifPresent(u -> {
        throw new UnreadableDocumentException(u);
      });
      return this;
    }
  }

  private static DocumentKey.OfJob job(Worker worker, Worker.Held held) {
    return new DocumentKey.OfJob(worker.cluster(), held.job());
  }

  private static DocumentKey.OfShard shard(Worker worker, Worker.Held held) {
    return new DocumentKey.OfShard(worker.cluster(), held.job(), held.start());
  }

  private Map<String, Job> jobs(Worker worker, Map<String, UnreadableDocument> unknown) {
    var keys = worker.held().stream().map(h -> job(worker, h)).distinct().toList();
    var jobs = new HashMap<String, Job>();
    for (var job : context.ledger().readAll(keys).readable(u -> unknown.put(u.path(), u)))
      jobs.put(job.value().uid(), job.value());
    return jobs;
  }

  private static boolean exclusive(Job job) {
    return job.spec().exclusive();
  }

  /**
   * The tasks charged with the loss: those last known to run, or as many as may have been running
   * beside what is known of the machine. Of a lease of which no task has ended, the first began
   * with it.
   */
  private static ChargedTasks charged(Worker.Held held, Shard shard, long runs) {
    var known = held.running().stream().filter(shard::has).toList();
    if (!known.isEmpty()) return new ChargedTasks(known, begins(held), KeptTask.until(held.kept()));
    var tasks = guessed(held, shard, Math.min(MOST_CHARGED, runs));
    var began = new HashMap<Long, Instant>();
    var attempt = held.known().attempt();
    if (shard.done().count() == 0
        && shard.evidence().stream().noneMatch(it -> it.attempt().equals(attempt)))
      tasks.forEach(index -> began.put(index, held.since()));
    return new ChargedTasks(tasks, began);
  }

  /** When the tasks began that are known to run, as far as their agent has told it. */
  private static Map<Long, Instant> begins(Worker.Held held) {
    var began = new HashMap<Long, Instant>();
    for (var i = 0; i < Math.min(held.running().size(), held.startedAt().size()); i++)
      began.put(held.running().get(i), held.startedAt().get(i));
    return began;
  }

  private static List<Long> guessed(Worker.Held held, Shard shard, long most) {
    var charged = new ArrayList<Long>();
    var failed = new HashSet<Long>();
    for (var attemptFailure : shard.evidence())
      if (attemptFailure.attempt().equals(held.known().attempt()))
        failed.add(attemptFailure.index());
    for (var i = shard.done().nextClear(Math.max(shard.start(), 0), shard.end());
        i < shard.end() && charged.size() < most;
        i = shard.done().nextClear(i + 1, shard.end()))
      if (!shard.failed().has(i) && !failed.contains(i)) charged.add(i);
    return charged;
  }

  private boolean commit(
      VersionedDocument<Worker> storedWorker,
      Worker next,
      List<LedgerWrite> shards,
      List<LedgerWrite> room,
      EventRecord event) {
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(next, storedWorker.version()));
    ledgerWrites.addAll(shards);
    ledgerWrites.addAll(room);
    ledgerWrites.add(new LedgerWrite.Put(event));
    ledgerWrites.add(
        new LedgerWrite.Signal(
            next.cluster(), event.at(), !shards.isEmpty(), List.of(next.name())));
    return context.ledger().commit(ledgerWrites).done();
  }

  private EventRecord event(Worker worker, String what, String why, Instant now) {
    return context.event(worker.cluster(), now, "worker/" + worker.name(), what, why);
  }

  private void triggerReconcile(Worker worker) {
    TriggerSender.send(context.bus(), Trigger.Reconcile.worker(worker.cluster(), worker.name()));
  }
}
