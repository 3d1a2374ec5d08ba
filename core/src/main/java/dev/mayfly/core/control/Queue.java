package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Puts jobs into the queue and takes them out, in the batch that changes the job. */
final class Queue {
  private static final int TRIES = 8;

  private final Ledger ledger;
  private final Alarms alarms;
  private final Ids ids;
  private final InstantSource clock;

  Queue(Ledger ledger, Alarms alarms, Ids ids, InstantSource clock) {
    this.ledger = ledger;
    this.alarms = alarms;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * Commits {@code writes} with the job's row in the turns and a pulse. Only a change of the turns
   * is tried again; another conflict comes back as it is. Throws {@link Invalid} if the queue is
   * full.
   */
  Committed enter(Job job, List<Write> writes) {
    for (var tries = 0; tries < TRIES; tries++) {
      var now = clock.instant();
      var all = new ArrayList<>(writes);
      var turns = ledger.read(new Key.OfTurns(job.cluster()));
      turns.ifPresent(t -> check(t.value(), job));
      if (turns.isPresent())
        all.add(
            new Write.Update(turns.get().value().with(Turns.row(job), now), turns.get().version()));
      else all.add(new Write.Create(Turns.of(job.cluster(), now, List.of(Turns.row(job)))));
      all.add(new Write.Notify(job.cluster(), now, true, List.of()));
      var committed = ledger.commit(all);
      if (!(committed instanceof Committed.Conflict c && c.key() instanceof Key.OfTurns))
        return committed;
      pause(tries);
    }
    throw new Unavailable(
        "the queue of cluster " + job.cluster() + " changes too fast; the message comes again");
  }

  /** Refuses a job for which the queue has no room; throws {@link Invalid}. */
  void check(Job job) {
    ledger.read(new Key.OfTurns(job.cluster())).ifPresent(t -> check(t.value(), job));
  }

  private static void check(Turns turns, Job job) {
    if (!turns.isFull() || turns.rows().stream().anyMatch(r -> r.job().equals(job.uid()))) return;
    throw new Invalid(
        "cluster",
        "the queue of cluster %s is full: %,d jobs run or wait there; wait until some of them end, stop some, or submit one job with many tasks"
            .formatted(job.spec().cluster(), turns.rows().size()));
  }

  /**
   * Writes a job's end: its name is free again, and its row in the turns goes. False if somebody
   * changed the job itself; its name and the turns are read again.
   */
  boolean end(Stored<Job> stored, Job ended) {
    for (var tries = 0; tries < TRIES; tries++) {
      var committed = ledger.commit(endWrites(stored, ended));
      if (committed.done()) return true;
      if (committed instanceof Committed.Conflict c && c.key().equals(ended.key())) return false;
      pause(tries);
    }
    throw new Unavailable("the queue of cluster " + ended.cluster() + " changes too fast");
  }

  /** Many instances may want to change the queue at once; on a laptop there is one. */
  private void pause(int conflicts) {
    var _ = alarms.waitUntil(clock.instant().plus(ConflictPause.after(conflicts, ids)));
  }

  private List<Write> endWrites(Stored<Job> stored, Job ended) {
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(ended, stored.version()));
    var name = ledger.read(new Key.OfJobName(ended.cluster(), ended.spec().name()));
    if (name.isPresent() && name.get().value().job().filter(ended.uid()::equals).isPresent()) {
      writes.add(new Write.Update(name.get().value().ended(), name.get().version()));
    }
    var turns = ledger.read(new Key.OfTurns(ended.cluster()));
    if (turns.isPresent()
        && turns.get().value().rows().stream().anyMatch(r -> r.job().equals(ended.uid())))
      writes.add(
          new Write.Update(
              turns.get().value().without(ended.uid(), clock.instant()), turns.get().version()));
    if (ended.state() instanceof JobState.Ended end)
      writes.add(
          new Write.Put(
              event(ended, end.result().name().toLowerCase(java.util.Locale.ROOT), end.reason())));
    return writes;
  }

  Event event(Job job, String what, String why) {
    return new Event(
        job.cluster(), ids.next(20), clock.instant(), "job/" + job.spec().name(), what, why);
  }
}
