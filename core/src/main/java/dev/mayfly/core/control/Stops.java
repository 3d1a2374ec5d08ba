package dev.mayfly.core.control;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobName;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Stops jobs. A stop is committed on the job; no new lease later than the age of the job documents
 * that leases are granted by; what runs is recalled at its agent's next sync.
 */
public final class Stops {
  private static final int TRIES = 8;

  private final Ledger ledger;
  private final Bus bus;
  private final Queue queue;
  private final Endings endings;
  private final InstantSource clock;

  public Stops(Ledger ledger, Bus bus, Alarms alarms, Ids ids, InstantSource clock) {
    this.ledger = ledger;
    this.bus = bus;
    queue = new Queue(ledger, alarms, ids, clock);
    endings = new Endings(ledger, bus, clock);
    this.clock = clock;
  }

  /**
   * Stops the jobs of that name that were published before {@code publishedAt}, also those that
   * have not arrived.
   */
  void named(String cluster, String name, Instant publishedAt, String by) {
    for (var tries = 0; tries < TRIES; tries++) {
      var stored = ledger.read(new Key.OfJobName(cluster, name));
      var was = stored.map(Stored::value).orElseGet(() -> JobName.unused(cluster, name));
      if (Word.of(was.lastCommandAt(), publishedAt) == Word.OLD) return;
      var next = was.stopped(publishedAt);
      Write write =
          stored.isPresent()
              ? new Write.Update(next, stored.get().version())
              : new Write.Create(next);
      if (!ledger.commit(List.of(write)).done()) continue;
      next.job().ifPresent(uid -> stop(new Key.OfJob(cluster, uid), publishedAt, by));
      return;
    }
    throw new Unavailable("the name " + name + " changes too fast; the message comes again");
  }

  /** Stops one job if it was published before; one that has ended, or is ending, stays as it is. */
  public void stop(Key.OfJob key, Instant publishedBefore, String by) {
    for (var tries = 0; tries < TRIES; tries++) {
      var stored = ledger.read(key);
      if (stored.isEmpty() || stored.get().value().submittedAt().isAfter(publishedBefore)) return;
      var job = stored.get().value();
      var live =
          job.state() instanceof JobState.Running || job.state() instanceof JobState.Expanding;
      if (live && !ledger.commit(writes(stored.get(), by)).done()) continue;
      endings.settle(key);
      Hints.send(bus, Hint.Look.job(key));
      return;
    }
    throw new Unavailable("job " + key.job() + " changes too fast; the message comes again");
  }

  private List<Write> writes(Stored<Job> stored, String by) {
    var now = clock.instant();
    var job = stored.value();
    var owners =
        ledger.query(new Query.LeasedShards(job.cluster(), job.uid(), 1_000)).some().stream()
            .flatMap(s -> s.value().owner().stream())
            .map(Shard.Owner::worker)
            .distinct()
            .toList();
    var writes = new ArrayList<Write>();
    writes.add(new Write.Update(job.with(new JobState.Stopping(now, by)), stored.version()));
    writes.add(new Write.Put(queue.event(job, "stopping", by)));
    // As if work had appeared: whoever grants leases reads the job again.
    writes.add(new Write.Notify(job.cluster(), now, true, owners));
    return writes;
  }
}
