package dev.mayfly.core.jobs;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Long work on one job, done by one call step by step. Each step is committed with the time until
 * which this call works on it, so that no other call starts the same; the last step of a call
 * clears that time. If two calls start at once, the one that commits second stops.
 */
final class ResumableWork {
  /** Longer than any step; after a crash, another call continues after this time. */
  static final Duration STEP = Duration.ofMinutes(1);

  private static final int MAX_TRIES = 3;

  private final Ledger ledger;
  private final InstantSource clock;
  private final DocumentKey.OfJob key;
  private Optional<VersionedDocument<Job>> storedJob;
  private Optional<Instant> ownUntil = Optional.empty();

  private ResumableWork(Ledger ledger, InstantSource clock, DocumentKey.OfJob key) {
    this.ledger = ledger;
    this.clock = clock;
    this.key = key;
    storedJob = ledger.read(key).filter(j -> !j.value().state().isWorkedOn(clock.instant()));
  }

  /** Work on the job, empty if another call works on it. */
  static ResumableWork of(Ledger ledger, InstantSource clock, DocumentKey.OfJob key) {
    return new ResumableWork(ledger, clock, key);
  }

  /** The job as this call knows it; empty if it is gone or another call has taken over. */
  Optional<VersionedDocument<Job>> stored() {
    return storedJob;
  }

  Instant until() {
    return clock.instant().plus(STEP);
  }

  void step(Function<Job, Job> change) {
    step(change, List.of());
  }

  /**
   * Commits a step with other writes. Other changes of the job's document are merged; after a
   * change of its state this call stops.
   */
  void step(Function<Job, Job> change, List<LedgerWrite> more) {
    var before = storedJob.orElseThrow().value().state();
    for (var tries = 0; tries < MAX_TRIES && storedJob.isPresent(); tries++) {
      var next = change.apply(storedJob.get().value());
      ownUntil = next.state().workedUntil();
      var ledgerWrites = new ArrayList<LedgerWrite>();
      ledgerWrites.add(new LedgerWrite.Update(next, storedJob.get().version()));
      ledgerWrites.addAll(more);
      var commitResult = ledger.commit(ledgerWrites);
      if (commitResult instanceof CommitResult.Done done) {
        storedJob = Optional.of(new VersionedDocument<>(next, done.versions().getFirst()));
        return;
      }
      storedJob = ledger.read(key).filter(j -> j.value().state().equals(before));
    }
    storedJob = Optional.empty();
  }

  /** Runs the work; if it fails, another call may start at once. */
  void run(Runnable work) {
    try {
      work.run();
    } catch (MayflyException failed) {
      release();
      throw failed;
    }
  }

  private void release() {
    if (ownUntil.isEmpty()) return;
    try {
      var now = ledger.read(key).filter(j -> j.value().state().workedUntil().equals(ownUntil));
      now.ifPresent(j ->
          ledger.commit(
              List.of(new LedgerWrite.Update(j.value().with(released(j.value())), j.version()))));
    } catch (MayflyException ignored) {
      // Another call then waits until the time has passed.
    }
  }

  private static JobState released(Job job) {
    return switch (job.state()) {
      case JobState.Expanding e -> new JobState.Expanding(e.after(), e.counted(), e.cut());
      case JobState.Finishing f -> f.with(f.audited(), Optional.empty());
      case JobState.Waiting _, JobState.Running _, JobState.Stopping _, JobState.Ended _ ->
          job.state();
    };
  }
}
