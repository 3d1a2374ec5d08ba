package dev.mayfly.core.control;

import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.lease.Shards;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a worker up: its epoch is raised, so that what it says later changes nothing, its leases go
 * back, and its machine is to be deleted.
 *
 * <p>Work that must not run twice stays leased to the lost worker until its machine is proved gone,
 * and a lease whose job or shard cannot be read until it can: then it may be either.
 */
public final class Losses {
  private static final int GUESS = 64;

  private final Ledger ledger;
  private final Bus bus;
  private final Ids ids;
  private final InstantSource clock;
  private final Gangs gangs;
  private final Remembered remembered;

  public Losses(Ledger ledger, Bus bus, Ids ids, InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    this.ids = ids;
    this.clock = clock;
    gangs = new Gangs(ledger, bus, clock);
    remembered = new Remembered(ledger);
  }

  /** False if somebody changed the worker or one of its shards meanwhile: look again. */
  public boolean lose(Stored<Worker> stored, Cause cause, String reason) {
    var now = clock.instant();
    var worker = stored.value();
    var returned = returned(worker, cause, false, now);
    var next =
        worker
            .atEpoch(worker.epoch() + 1)
            .holding(returned.kept())
            .with(new WorkerState.Lost(now, cause, reason));
    var word = cause == Cause.PREEMPTED ? "preempted" : "lost";
    var memory = remembered.end(worker, cause, now);
    if (!commit(stored, next, returned.writes(), memory, word, reason, now)) return false;
    look(next);
    return true;
  }

  /**
   * The machine is proved gone: whatever it still held goes back. False as in {@link #lose}. Throws
   * {@link Unreadable} while something of it cannot be given back.
   */
  public boolean gone(Stored<Worker> stored, String reason) {
    if (stored.value().held().stream().anyMatch(Worker.Held::gang))
      return goneInGang(stored, reason);
    var now = clock.instant();
    var worker = stored.value();
    var cause = worker.state() instanceof WorkerState.Lost lost ? lost.cause() : Cause.LOST;
    var returned = returned(worker, cause, true, now).all();
    var next =
        worker
            .atEpoch(worker.epoch() + 1)
            .holding(returned.kept())
            .with(new WorkerState.Gone(now, reason));
    // One that went after a notice with nothing left to lose was taken back all the same.
    var memory =
        worker.notice().isPresent()
            ? remembered.end(worker, Cause.PREEMPTED, now)
            : Optional.<Write>empty();
    if (!commit(stored, next, returned.writes(), memory, "deleted", reason, now)) return false;
    // The look after its loss has planned without it; only work that waited for the proof is news.
    if (!(worker.state() instanceof WorkerState.Lost) || !returned.writes().isEmpty()) look(next);
    return true;
  }

  /**
   * Its gangs are told first: whoever crashes in between finds the worker as it was, and goes on.
   */
  private boolean goneInGang(Stored<Worker> stored, String reason) {
    // In turn: many machines of one gang may be found gone at once, and all change its document.
    synchronized (gangs) {
      gangs.gone(stored.value());
    }
    var after = ledger.read(stored.value().key());
    return after.isPresent()
        && after.get().value().held().stream().noneMatch(Worker.Held::gang)
        && gone(after.get(), reason);
  }

  /**
   * A worker that was given up says that nothing of its leases runs any more. False as in {@link
   * #lose}.
   */
  boolean confirmed(Stored<Worker> stored, Cause cause) {
    var now = clock.instant();
    var returned = returned(stored.value(), cause, true, now);
    var next = stored.value().holding(returned.kept());
    if (next.equals(stored.value())) return false;
    var why = "its agent says that nothing runs any more";
    if (!commit(stored, next, returned.writes(), Optional.empty(), "confirmed", why, now))
      return false;
    look(next);
    return true;
  }

  /** What a worker's leases become when it no longer has them. */
  Returned returned(Worker worker, Cause cause, boolean exclusiveToo, Instant now) {
    var unknown = new HashMap<String, UnreadableDocument>();
    var jobs = jobs(worker, unknown);
    var wanted =
        worker.held().stream()
            .filter(h -> !h.gang() && !unknown.containsKey(job(worker, h).path()))
            .filter(
                h -> exclusiveToo || !jobs.containsKey(h.job()) || !exclusive(jobs.get(h.job())))
            .toList();
    var shards = new HashMap<Key<?>, Stored<Shard>>();
    var found = ledger.readAll(wanted.stream().map(h -> shard(worker, h)).toList());
    for (var shard : found.readable(u -> unknown.put(u.path(), u)))
      shards.put(shard.value().key(), shard);
    var back = wanted.stream().filter(h -> !unknown.containsKey(shard(worker, h).path())).toList();
    var kept = worker.held().stream().filter(h -> !back.contains(h)).toList();
    var writes = new ArrayList<Write>();
    for (var held : back) {
      var shard = shards.get(shard(worker, held));
      var job = jobs.get(held.job());
      if (shard == null || job == null || shard.value().epoch() != held.epoch()) continue;
      var lost =
          Shards.lose(
              shard.value(),
              charged(worker, held, shard.value()),
              cause,
              job.spec().retries(),
              now);
      writes.add(new Write.Update(lost, shard.version()));
    }
    return new Returned(kept, writes, unknown.values().stream().findFirst());
  }

  /**
   * @param kept leases that stay until the machine is proved gone, or until they can be read
   * @param writes the shards that went back
   * @param unknown one of those for which some are kept that would have gone back
   */
  record Returned(
      List<Worker.Held> kept, List<Write> writes, Optional<UnreadableDocument> unknown) {
    /** All that is not kept for its own sake. Throws {@link Unreadable} if some may not be. */
    Returned all() {
      unknown.ifPresent(u -> {
        throw new Unreadable(u);
      });
      return this;
    }
  }

  private static Key.OfJob job(Worker worker, Worker.Held held) {
    return new Key.OfJob(worker.cluster(), held.job());
  }

  private static Key.OfShard shard(Worker worker, Worker.Held held) {
    return new Key.OfShard(worker.cluster(), held.job(), held.start());
  }

  private Map<String, Job> jobs(Worker worker, Map<String, UnreadableDocument> unknown) {
    var keys = worker.held().stream().map(h -> job(worker, h)).distinct().toList();
    var jobs = new HashMap<String, Job>();
    for (var job : ledger.readAll(keys).readable(u -> unknown.put(u.path(), u)))
      jobs.put(job.value().uid(), job.value());
    return jobs;
  }

  private static boolean exclusive(Job job) {
    return job.spec().exclusive();
  }

  /**
   * The tasks that pay for the loss: those last known to run, or as many as may have been running.
   */
  private static List<Long> charged(Worker worker, Worker.Held held, Shard shard) {
    var known = held.running().stream().filter(shard::has).toList();
    if (!known.isEmpty()) return known;
    var charged = new ArrayList<Long>();
    var slots = Math.min(GUESS, worker.total().slots(held.need()));
    var told = new HashSet<Long>();
    for (var failure : shard.evidence())
      if (failure.attempt().equals(held.ref().attempt())) told.add(failure.index());
    for (var i = shard.done().nextClear(Math.max(shard.start(), 0), shard.end());
        i < shard.end() && charged.size() < slots;
        i = shard.done().nextClear(i + 1, shard.end()))
      if (!shard.failed().has(i) && !told.contains(i)) charged.add(i);
    return charged;
  }

  private boolean commit(
      Stored<Worker> stored,
      Worker next,
      List<Write> shards,
      Optional<Write> memory,
      String what,
      String why,
      Instant now) {
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(next, stored.version()));
    writes.addAll(shards);
    memory.ifPresent(writes::add);
    Document event =
        new Event(next.cluster(), ids.next(20), now, "worker/" + next.name(), what, why);
    writes.add(new Write.Put(event));
    writes.add(new Write.Notify(next.cluster(), now, !shards.isEmpty(), List.of(next.name())));
    return ledger.commit(writes).done();
  }

  private void look(Worker worker) {
    Hints.send(bus, Hint.Look.worker(worker.cluster(), worker.name()));
  }
}
