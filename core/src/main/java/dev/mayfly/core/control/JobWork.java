package dev.mayfly.core.control;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The long work on one job, step by step, as one call does it. Each step is committed and says
 * until when this call is at it, so that no other one begins the same; the last of a call says
 * nobody is. If two begin at once, the one that commits second stops.
 */
final class JobWork {
  /** Longer than any step; after a crash so long passes until another call goes on. */
  static final Duration STEP = Duration.ofMinutes(1);

  private static final int TRIES = 3;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Key.OfJob key;
  private Optional<Stored<Job>> stored;
  private Optional<Instant> mine = Optional.empty();

  private JobWork(Ledger ledger, InstantSource clock, Key.OfJob key) {
    this.ledger = ledger;
    this.clock = clock;
    this.key = key;
    stored = ledger.read(key).filter(j -> !j.value().state().isWorkedOn(clock.instant()));
  }

  /** The job in that state; nothing if it is in another one, or if a call is at it already. */
  static JobWork of(Ledger ledger, InstantSource clock, Key.OfJob key) {
    return new JobWork(ledger, clock, key);
  }

  /** The job as this call knows it; empty if it is another's, or gone. */
  Optional<Stored<Job>> stored() {
    return stored;
  }

  Instant until() {
    return clock.instant().plus(STEP);
  }

  void step(Function<Job, Job> change) {
    step(change, List.of());
  }

  /**
   * Commits a step, with what else it writes. A change of something else in the job's document does
   * not matter; after one of its state the job is another's.
   */
  void step(Function<Job, Job> change, List<Write> more) {
    var before = stored.orElseThrow().value().state();
    for (var tries = 0; tries < TRIES && stored.isPresent(); tries++) {
      var next = change.apply(stored.get().value());
      mine = next.state().workedUntil();
      var writes = new ArrayList<Write>();
      writes.add(new Write.Update(next, stored.get().version()));
      writes.addAll(more);
      var committed = ledger.commit(writes);
      if (committed instanceof Committed.Done done) {
        stored = Optional.of(new Stored<>(next, done.versions().getFirst()));
        return;
      }
      stored = ledger.read(key).filter(j -> j.value().state().equals(before));
    }
    stored = Optional.empty();
  }

  /** Runs the work; if it fails, another call may begin at once. */
  void run(Runnable work) {
    try {
      work.run();
    } catch (MayflyException failed) {
      release();
      throw failed;
    }
  }

  private void release() {
    if (mine.isEmpty()) return;
    try {
      var now = ledger.read(key).filter(j -> j.value().state().workedUntil().equals(mine));
      now.ifPresent(j ->
          ledger.commit(List.of(new Write.Update(j.value().with(left(j.value())), j.version()))));
    } catch (MayflyException ignored) {
      // It takes until the time has passed.
    }
  }

  private static JobState left(Job job) {
    return switch (job.state()) {
      case JobState.Expanding e -> new JobState.Expanding(e.after(), e.counted(), e.cut());
      case JobState.Finishing f ->
          new JobState.Finishing(f.since(), f.stopped(), f.audited(), Optional.empty());
      case JobState.Running _, JobState.Stopping _, JobState.Ended _ -> job.state();
    };
  }
}
