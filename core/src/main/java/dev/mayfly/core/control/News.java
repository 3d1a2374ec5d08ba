package dev.mayfly.core.control;

import static java.util.Objects.requireNonNull;

import dev.mayfly.core.effect.Effect;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import dev.mayfly.core.worker.WorkerEvent;
import dev.mayfly.core.worker.WorkerLifecycle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes down what is new in a report: one batch of the worker's document and the shards that it is
 * about. A report without news writes nothing.
 */
final class News {
  private final Deck deck;
  private final Losses losses;
  private final Endings endings;
  private final JobCache jobs;
  private final Progress progress;
  private final SliceReadiness slices;

  News(Deck deck, Losses losses, Endings endings, JobCache jobs) {
    this.deck = deck;
    this.losses = losses;
    this.endings = endings;
    this.jobs = jobs;
    progress = new Progress(deck.rules());
    slices = new SliceReadiness(deck.ledger(), deck.clock());
  }

  /**
   * The worker with the news in it, or empty if somebody changed a document meanwhile: read again.
   */
  Optional<Stored<Worker>> write(Stored<Worker> stored, SyncReport report, Admission admission) {
    var batch = new Batch(stored.value(), report, deck.clock().instant());
    if (admission == Admission.NEW) batch.newIncarnation();
    else batch.leases();
    batch.worker();
    if (batch.nothing()) return Optional.of(stored);
    var committed = deck.ledger().commit(batch.writes(stored.version()));
    if (!(committed instanceof Committed.Done done)) return Optional.empty();
    batch.afterwards();
    var written = new Stored<>(batch.next, done.versions().getFirst());
    if (admission != Admission.NEW || !SliceReadiness.awaited(batch.next))
      return Optional.of(written);
    return slices.look(batch.next.cluster(), batch.next.name()).or(() -> Optional.of(written));
  }

  /** One report's changes while they are collected. */
  private final class Batch {
    private final Worker was;
    private final SyncReport report;
    private final Instant now;
    private final List<Write> shards = new ArrayList<>();
    private final List<SyncReport.Lease> noted = new ArrayList<>();
    private final Set<String> settled = new LinkedHashSet<>();
    private Worker next;
    private Optional<Event> event = Optional.empty();
    private boolean work;
    private boolean look;

    Batch(Worker was, SyncReport report, Instant now) {
      this.was = was;
      this.report = report;
      this.now = now;
      next = was;
    }

    /**
     * Its first act was to kill whatever an older one had left: all that was leased may be leased
     * again.
     */
    void newIncarnation() {
      var back = losses.returned(was, Cause.LOST, true, now).all();
      shards.addAll(back.writes());
      was.held().forEach(h -> settled.add(h.job()));
      work = !back.writes().isEmpty();
      var spoke =
          Hosts.complete(deck.ledger(), was)
              ? WorkerLifecycle.on(was.state(), new WorkerEvent.Spoke(now)).next()
              : was.state();
      var state =
          spoke instanceof WorkerState.Ready r && back.kept().isEmpty()
              ? new WorkerState.Ready(r.since(), Optional.of(now))
              : spoke;
      next = was.atEpoch(was.epoch() + 1).holding(back.kept(), List.of()).with(state);
      var what = was.incarnation().isEmpty() ? "ready" : "restarted";
      var why =
          was.incarnation().isEmpty()
              ? "its agent spoke for the first time"
              : "its agent began anew";
      event = Optional.of(event(what, why));
    }

    void leases() {
      var reported = new HashMap<LeaseRef, SyncReport.Lease>();
      report.leases().forEach(l -> reported.put(l.ref(), l));
      var kept = new ArrayList<Worker.Held>();
      var wanted = new HashMap<Key.OfShard, SyncReport.Lease>();
      var astray = astray(reported.keySet());
      for (var held : was.held()) {
        // A gang's lease ends with its run, and not by one host's word.
        if (held.gang()) kept.add(held);
        if (held.gang()) continue;
        var lease = reported.get(held.ref());
        if (astray.contains(held.ref())) continue;
        var released = lease != null && lease.released();
        // What it becomes is unknown while its job cannot be read: it stays until then.
        var back = released && jobs.isReadable(held.job());
        if (!back) kept.add(running(held, lease));
        if (lease != null && (back || (!released && progress.due(held, lease, now))))
          wanted.put(shard(held), lease);
      }
      if (wanted.isEmpty() && astray.isEmpty()) return;
      var listing = deck.ledger().readAll(wanted.keySet());
      var found = listing.readable(unknown -> keep(unknown.path(), wanted, kept));
      if (astray.isEmpty() && found.stream().allMatch(s -> noted(s, wanted))) return;
      for (var shard : found) change(shard, requireNonNull(wanted.get(shard.value().key())));
      next = next.holding(kept, report.gpusUsed());
      if (kept.isEmpty() && next.state() instanceof WorkerState.Ready ready)
        next = next.with(new WorkerState.Ready(ready.since(), Optional.of(now)));
    }

    /** The same for a lease whose shard cannot be read. */
    private void keep(
        String shard, Map<Key.OfShard, SyncReport.Lease> wanted, List<Worker.Held> kept) {
      for (var held : was.held()) {
        if (held.gang() || !shard(held).path().equals(shard)) continue;
        var lease = wanted.get(shard(held));
        if (lease != null && lease.released()) kept.add(running(held, lease));
      }
    }

    private Key.OfShard shard(Worker.Held held) {
      return new Key.OfShard(was.cluster(), held.job(), held.start());
    }

    /**
     * Whether another instance wrote the lease's progress a short while ago: calls of one worker
     * come to any instance, and each would write it anew.
     */
    private boolean noted(Stored<Shard> stored, Map<Key.OfShard, SyncReport.Lease> wanted) {
      var shard = stored.value();
      var lease = requireNonNull(wanted.get(shard.key()));
      if (lease.released() || !lease.failed().isEmpty()) return false;
      var ours = lease.ref().epoch() == shard.epoch() && shard.state() == Shard.State.LEASED;
      var young = !Pause.over(shard.checkpointAt(), deck.rules().checkpointAfter(), now);
      var more = lease.done().count() - shard.done().count();
      if (!ours || !young || more >= deck.rules().checkpointShare() * (shard.end() - shard.start()))
        return false;
      progress.wrote(lease, shard);
      return true;
    }

    /**
     * Leases that the agent has not heard of, and that the ledger no longer knows as this worker's:
     * orders name none of them, and so nobody would ever give them back.
     */
    private Set<LeaseRef> astray(Set<LeaseRef> reported) {
      var astray = new HashMap<Key.OfShard, LeaseRef>();
      for (var held : was.held())
        if (!held.gang()
            && !reported.contains(held.ref())
            && Pause.over(held.since(), deck.rules().beat(), now))
          astray.put(shard(held), held.ref());
      if (astray.isEmpty()) return Set.of();
      var found = deck.ledger().readAll(Set.copyOf(astray.keySet()));
      for (var shard :
          found.readable(u -> astray.keySet().removeIf(k -> k.path().equals(u.path())))) {
        var s = shard.value();
        if (s.state() == Shard.State.LEASED)
          astray.remove(s.key(), new LeaseRef(s.job(), s.start(), s.epoch()));
      }
      return Set.copyOf(astray.values());
    }

    private Worker.Held running(
        Worker.Held held, SyncReport.@org.jspecify.annotations.Nullable Lease lease) {
      return lease == null ? held : held.withRunning(lease.running());
    }

    private void change(Stored<Shard> stored, SyncReport.Lease lease) {
      var shard = stored.value();
      if (shard.epoch() != lease.ref().epoch() || shard.state() != Shard.State.LEASED) return;
      noted.add(lease);
      var job = lease.released() ? jobs.heard(shard.job()) : Optional.<Job>empty();
      if (job.isEmpty()) {
        shards.add(new Write.Update(Shards.checkpoint(shard, lease, now), stored.version()));
        return;
      }
      var released = Shards.release(shard, lease, job.get().spec().retries(), now);
      shards.add(new Write.Update(released, stored.version()));
      settled.add(shard.job());
      work |= released.waits();
    }

    void worker() {
      if (report.notice().isPresent() && was.notice().isEmpty()) {
        var deadline = now.plus(deck.rules().noticeDeadline());
        next = next.noticed(report.notice().get());
        next(new WorkerEvent.Noticed(now, deadline));
        event = Optional.of(event("preempted", "the cloud said that it takes the machine"));
      }
      if (report.drained() && next.held().isEmpty() && Hosts.drained(deck.ledger(), next))
        drained();
      if (!report.problem().equals(was.problem())) troubled();
    }

    /** A machine of one's own is its owner's to take back; a bought one is ended by us. */
    private void drained() {
      var own = was.provisioning() == Provisioning.STATIC;
      if (own && next.state() instanceof WorkerState.Ready)
        event = Optional.of(event("left", "its agent was told to end there, and gave all back"));
      next(own ? new WorkerEvent.Left(now) : new WorkerEvent.DrainConfirmed(now));
    }

    /** What is wrong with it, for people; the end of its preparation is told with its steps. */
    private void troubled() {
      var prepared =
          was.problem().filter(p -> p.startsWith(SyncReport.PREPARING)).isPresent()
              && report.problem().filter(p -> p.startsWith(SyncReport.PREPARING)).isEmpty();
      if (prepared && event.isEmpty()) {
        var fit = report.problem().filter(p -> !SyncReport.runsTasks(p)).isEmpty();
        var what = fit ? "prepared" : "unfit";
        event = Optional.of(event(what, BootSteps.text(report.boot())));
      }
      next = next.troubled(report.problem());
    }

    private void next(WorkerEvent happened) {
      var transition = WorkerLifecycle.on(next.state(), happened);
      next = next.with(transition.next());
      look |= transition.effects().contains(new Effect.Look());
    }

    private static boolean idle(Worker worker) {
      return worker.state() instanceof WorkerState.Ready r && r.idleSince().isPresent();
    }

    private Event event(String what, String why) {
      return new Event(was.cluster(), deck.ids().next(20), now, "worker/" + was.name(), what, why);
    }

    /** What is written is written: a job that is not moved on now is moved on by the tick. */
    private void settle(String job) {
      try {
        jobs.heard(job).ifPresent(endings::settle);
      } catch (Unavailable later) {
        look = true;
      }
    }

    boolean nothing() {
      return next.equals(was) && shards.isEmpty();
    }

    List<Write> writes(String version) {
      var writes = new ArrayList<Write>();
      next = next.heard(report.incarnation(), report.seq(), report.total(), now);
      writes.add(new Write.Update(next, version));
      writes.addAll(shards);
      event.ifPresent(e -> writes.add(new Write.Put(e)));
      if (work) writes.add(new Write.Notify(was.cluster(), now, true, List.of()));
      return writes;
    }

    void afterwards() {
      noted.forEach(l -> progress.remember(l, now));
      settled.forEach(this::settle);
      if (look || (idle(next) && !idle(was) && jobs.gangs()))
        Hints.send(deck.bus(), Hint.Look.worker(was.cluster(), was.name()));
    }
  }
}
