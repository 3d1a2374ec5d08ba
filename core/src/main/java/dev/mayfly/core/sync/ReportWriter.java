package dev.mayfly.core.sync;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.lifecycle.WastedTime;
import dev.mayfly.core.lifecycle.WorkerEffect;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.lifecycle.WorkerLifecycle;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.KeptFolders;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobCache;
import dev.mayfly.core.state.job.JobCompletion;
import dev.mayfly.core.state.job.KeptFailures;
import dev.mayfly.core.state.worker.LeaseRevoker;
import dev.mayfly.core.state.worker.PlannedEnds;
import dev.mayfly.core.state.worker.SliceHosts;
import dev.mayfly.core.text.BootStepSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores what is new in a report: one batch of the worker's document and the shards that changed. A
 * report without changes writes nothing.
 */
final class ReportWriter {
  private final Context context;
  private final LeaseRevoker leaseRevoker;
  private final JobCompletion jobCompletion;
  private final JobCache jobs;
  private final CheckpointThrottle checkpointThrottle;
  private final SliceReadiness slices;
  private final UnacknowledgedLeases unacknowledgedLeases;

  ReportWriter(
      Context context, LeaseRevoker leaseRevoker, JobCompletion jobCompletion, JobCache jobs) {
    this.context = context;
    this.leaseRevoker = leaseRevoker;
    this.jobCompletion = jobCompletion;
    this.jobs = jobs;
    checkpointThrottle = new CheckpointThrottle(context.timings());
    slices = new SliceReadiness(context.ledger(), context.clock());
    unacknowledgedLeases =
        new UnacknowledgedLeases(context.ledger(), context.timings().syncInterval());
  }

  /**
   * The worker with the changes stored; empty if another writer changed a document in between and
   * it must be read again.
   */
  Optional<VersionedDocument<Worker>> write(
      VersionedDocument<Worker> storedWorker,
      SyncReport report,
      IncarnationCheck incarnationCheck) {
    var batch = new Batch(storedWorker.value(), report, context.clock().instant());
    if (incarnationCheck == IncarnationCheck.NEW) batch.newIncarnation();
    else batch.leases();
    batch.worker();
    if (batch.nothing()) return Optional.of(storedWorker);
    var commitResult = context.ledger().commit(batch.writes(storedWorker.version()));
    if (!(commitResult instanceof CommitResult.Done done)) return Optional.empty();
    batch.afterCommit();
    var written = new VersionedDocument<>(batch.next, done.versions().getFirst());
    if (incarnationCheck != IncarnationCheck.NEW || !SliceReadiness.awaited(batch.next))
      return Optional.of(written);
    return slices.update(batch.next.cluster(), batch.next.name()).or(() -> Optional.of(written));
  }

  /** Collects one report's changes. */
  private final class Batch {
    private final Worker was;
    private final SyncReport report;
    private final Instant now;
    private final List<LedgerWrite> shards = new ArrayList<>();
    private final List<SyncReport.Lease> checkpointed = new ArrayList<>();
    private final Set<String> affectedJobs = new LinkedHashSet<>();
    private final List<PlannedEnds.Returned> ended = new ArrayList<>();
    private final List<KeptFailures.Failed> failed = new ArrayList<>();
    private Worker next;
    private Optional<EventRecord> eventRecord = Optional.empty();
    private boolean work;
    private boolean reconcileNeeded;

    Batch(Worker was, SyncReport report, Instant now) {
      this.was = was;
      this.report = report;
      this.now = now;
      next = was;
    }

    /**
     * A new incarnation first kills what an older one left, so all its leases may be granted again.
     */
    void newIncarnation() {
      var first = was.incarnation().isEmpty();
      var what = first ? "ready" : "restarted";
      var why = first ? "its agent reported for the first time" : "its agent restarted";
      var steps = BootStepSummary.failed(report.boot());
      var revoked = leaseRevoker.revocation(was, FailureCause.LOST, why, true, now).all();
      shards.addAll(revoked.writes());
      was.held().forEach(h -> affectedJobs.add(h.job()));
      work = !revoked.writes().isEmpty();
      var synced =
          SliceHosts.allReported(context.ledger(), was)
              ? WorkerLifecycle.on(was.state(), new WorkerEvent.AgentSynced(now)).next()
              : was.state();
      var state =
          synced instanceof WorkerState.Ready r && revoked.kept().isEmpty()
              ? new WorkerState.Ready(r.since(), Optional.of(now))
              : synced;
      next =
          KeptFolders.without(was, now)
              .withEpoch(was.epoch() + 1)
              .withLeases(revoked.kept(), List.of(), List.of(), now)
              .with(state);
      var all = (steps.isEmpty() ? why : why + "; " + steps) + KeptFolders.ends(was, now);
      eventRecord = Optional.of(event(what, all));
    }

    void leases() {
      var reported = new HashMap<LeaseRef, SyncReport.Lease>();
      report.leases().forEach(l -> reported.put(l.ref(), l));
      var kept = new ArrayList<Worker.Held>();
      var wanted = new HashMap<DocumentKey.OfShard, SyncReport.Lease>();
      var unacknowledged =
          was.held().stream().allMatch(h -> reported.containsKey(h.ref()))
              ? Set.<LeaseRef>of()
              : unacknowledgedLeases.of(was, reported.keySet(), now);
      for (var held : was.held()) {
        // A gang's lease ends with its run, not with one host's report.
        if (held.gang()) kept.add(held);
        if (held.gang() || unacknowledged.contains(held.ref())) continue;
        var lease = reported.get(held.ref());
        // While its job is unreadable the shard's next state is unknown: the lease stays.
        var returned = lease != null && lease.released() && jobs.isReadable(held.job());
        if (!returned) kept.add(lease == null ? held : held.with(lease));
        if (lease != null && (returned || (!lease.released() && isCheckpointDue(held, lease))))
          wanted.put(shard(held), lease);
      }
      if (!unacknowledged.isEmpty())
        eventRecord = Optional.of(event("returned", UnacknowledgedLeases.text(unacknowledged)));
      if (wanted.isEmpty() && unacknowledged.isEmpty()) {
        next = CheckpointThrottle.withNews(next, kept, now);
        return;
      }
      var queryResult = context.ledger().readAll(wanted.keySet());
      var found = queryResult.readable(unknown -> keep(unknown.path(), wanted, kept));
      if (unacknowledged.isEmpty()
          && found.stream()
              .allMatch(
                  s -> wroteAnother(s.value(), requireNonNull(wanted.get(s.value().key()))))) {
        next = CheckpointThrottle.withNews(next, kept, now);
        return;
      }
      for (var shard : found) change(shard, requireNonNull(wanted.get(shard.value().key())));
      next = next.withLeases(kept, report.gpusUsed(), report.gpuMemoryUsed(), now);
      if (!failed.isEmpty()) {
        var outcome = new KeptFailures(context).keep(next, failed, report, now);
        next = outcome.worker();
        shards.addAll(outcome.writes());
        reconcileNeeded |= !outcome.writes().isEmpty();
      }
      for (var end : ended) next = WastedTime.of(next, was.held(), end.after(), end.failed());
      if (kept.isEmpty() && next.state() instanceof WorkerState.Ready ready)
        next = next.with(new WorkerState.Ready(ready.since(), Optional.of(now)));
    }

    private boolean isCheckpointDue(Worker.Held held, SyncReport.Lease lease) {
      var soon = lease.done().count() > 0 && isSoon(held.job());
      return checkpointThrottle.due(held, lease, soon, now);
    }

    private boolean wroteAnother(Shard shard, SyncReport.Lease lease) {
      return checkpointThrottle.wroteAnother(shard, lease, isSoon(shard.job()), now);
    }

    /** Whether what is done of the job's ranges here is written within seconds. */
    private boolean isSoon(String job) {
      return CheckpointThrottle.isRoomFree(was, report)
          || isFollowed(job)
          || jobs.isKept(was.name());
    }

    /** A job whose document cannot be read counts as not followed. */
    private boolean isFollowed(String job) {
      return jobs.isReadable(job)
          && jobs.lastKnown(job).filter(known -> known.isFollowed(now)).isPresent();
    }

    /** Keeps a released lease whose shard is unreadable. */
    private void keep(
        String shard, Map<DocumentKey.OfShard, SyncReport.Lease> wanted, List<Worker.Held> kept) {
      for (var held : was.held()) {
        if (held.gang() || !shard(held).path().equals(shard)) continue;
        var lease = wanted.get(shard(held));
        if (lease != null && lease.released()) kept.add(held.with(lease));
      }
    }

    private DocumentKey.OfShard shard(Worker.Held held) {
      return new DocumentKey.OfShard(was.cluster(), held.job(), held.start());
    }

    private void change(VersionedDocument<Shard> storedShard, SyncReport.Lease lease) {
      var shard = storedShard.value();
      if (shard.epoch() != lease.ref().epoch() || shard.state() != Shard.State.LEASED) return;
      checkpointed.add(lease);
      var job = lease.released() ? jobs.lastKnown(shard.job()) : Optional.<Job>empty();
      if (job.isEmpty()) {
        var progress = ShardTransitions.checkpoint(shard, lease, jobs.exitCodes(shard.job()), now);
        shards.add(new LedgerWrite.Update(progress, storedShard.version()));
        return;
      }
      var released = ShardTransitions.release(shard, lease, job.get().spec().retries(), now);
      shards.add(new LedgerWrite.Update(released, storedShard.version()));
      if (!lease.failed().isEmpty()) {
        ended.add(new PlannedEnds.Returned(job.get(), released, lease.failed()));
        failed.add(KeptFailures.Failed.of(job.get(), shard, released, lease.failed()));
      }
      affectedJobs.add(shard.job());
      work |= released.isLeasable();
    }

    void worker() {
      if (report.notice().isPresent() && was.notice().isEmpty()) {
        var deadline = now.plus(context.timings().noticeDeadline());
        next = next.withNotice(report.notice().get());
        next(new WorkerEvent.PreemptionNoticed(now, deadline));
        var why = "the cloud announced the preemption" + KeptFolders.ends(was, now);
        eventRecord = Optional.of(event("preempted", why));
      }
      if (report.drained()
          && next.held().isEmpty()
          && SliceHosts.allDrained(context.ledger(), next)) drained();
      if (!report.machineProblem().equals(was.machineProblem())) problemChanged();
      next = KeptFolders.located(next, report);
      measured();
    }

    /** What is measured of tasks, the machine, GPUs and mounts. */
    private void measured() {
      var had =
          was.metrics().isPresent() || was.gpuUses().isPresent() || was.machineUse().isPresent();
      if (!report.measures() && !had) return;
      var alone = next.equals(was) && shards.isEmpty();
      // Where a user follows a job of which something is measured here, a pause is short.
      var measured = Measurements.jobs(was, report);
      var pause = MetricsThrottle.pause(alone, alone && measured.anyMatch(this::isFollowed));
      next = Measurements.updated(next, report, pause, alone, context.timings(), now);
    }

    /** A static worker returns to its owner; a cloud machine is deleted. */
    private void drained() {
      var isStatic = was.provisioning() == Provisioning.STATIC;
      var why = "its agent was stopped there and gave its tasks back" + KeptFolders.ends(was, now);
      if (isStatic && next.state() instanceof WorkerState.Ready)
        eventRecord = Optional.of(event("left", why));
      next(isStatic ? new WorkerEvent.AgentLeft(now) : new WorkerEvent.DrainConfirmed(now));
    }

    /** The worker's problem, for people. The end of its preparation is recorded with its steps. */
    private void problemChanged() {
      var preparing = MachineProblem.Kind.PREPARING;
      var problem = report.machineProblem();
      var prepared = was.has(preparing) && problem.filter(p -> p.is(preparing)).isEmpty();
      if (prepared && eventRecord.isEmpty()) {
        var fit = problem.filter(p -> !p.runsTasks()).isEmpty();
        var what = fit ? "prepared" : "unfit";
        eventRecord = Optional.of(event(what, BootStepSummary.text(report.boot())));
      }
      next = next.withProblem(problem);
    }

    private void next(WorkerEvent happened) {
      var transition = WorkerLifecycle.on(next.state(), happened);
      next = next.with(transition.next());
      reconcileNeeded |= transition.effects().contains(new WorkerEffect.RequestReconcile());
    }

    private EventRecord event(String what, String why) {
      return context.event(was.cluster(), "worker/" + was.name(), what, why);
    }

    /**
     * The report is stored already: a job that cannot be completed now is completed by the tick.
     */
    private void settle(String job) {
      try {
        jobs.lastKnown(job).ifPresent(jobCompletion::completeIfDone);
      } catch (UnavailableException later) {
        reconcileNeeded = true;
      }
    }

    boolean nothing() {
      return next.equals(was) && shards.isEmpty();
    }

    List<LedgerWrite> writes(String version) {
      var ledgerWrites = new ArrayList<LedgerWrite>();
      next = next.withSync(report.incarnation(), report.seq(), report.total(), now);
      ledgerWrites.add(new LedgerWrite.Update(next, version));
      ledgerWrites.addAll(shards);
      if (!ended.isEmpty()) ledgerWrites.addAll(PlannedEnds.writes(context, was, ended, now));
      eventRecord.ifPresent(e -> ledgerWrites.add(new LedgerWrite.Put(e)));
      if (work) ledgerWrites.add(new LedgerWrite.Signal(was.cluster(), now, true, List.of()));
      return ledgerWrites;
    }

    void afterCommit() {
      checkpointed.forEach(l -> checkpointThrottle.written(l, now));
      affectedJobs.forEach(this::settle);
      if (reconcileNeeded || (next.state().isIdle() && !was.state().isIdle() && jobs.hasGangs()))
        TriggerSender.send(context.bus(), Trigger.Reconcile.worker(was.cluster(), was.name()));
    }
  }
}
