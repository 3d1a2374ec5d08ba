package dev.mayfly.core.jobs;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
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
final class ResumableWork {
  /** Longer than any step; after a crash so long passes until another call goes on. */
  static final Duration STEP = Duration.ofMinutes(1);

  private static final int TRIES = 3;

  private final Ledger ledger;
  private final InstantSource clock;
  private final DocumentKey.OfJob key;
  private Optional<VersionedDocument<Job>> versionedDocument;
  private Optional<Instant> mine = Optional.empty();

  private ResumableWork(Ledger ledger, InstantSource clock, DocumentKey.OfJob key) {
    this.ledger = ledger;
    this.clock = clock;
    this.key = key;
    versionedDocument =
        ledger.read(key).filter(j -> !j.value().state().isWorkedOn(clock.instant()));
  }

  /** The job in that state; nothing if it is in another one, or if a call is at it already. */
  static ResumableWork of(Ledger ledger, InstantSource clock, DocumentKey.OfJob key) {
    return new ResumableWork(ledger, clock, key);
  }

  /** The job as this call knows it; empty if it is another's, or gone. */
  Optional<VersionedDocument<Job>> stored() {
    return versionedDocument;
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
  void step(Function<Job, Job> change, List<LedgerWrite> more) {
    var before = versionedDocument.orElseThrow().value().state();
    for (var tries = 0; tries < TRIES && versionedDocument.isPresent(); tries++) {
      var next = change.apply(versionedDocument.get().value());
      mine = next.state().workedUntil();
      var ledgerWrites = new ArrayList<LedgerWrite>();
      ledgerWrites.add(new LedgerWrite.Update(next, versionedDocument.get().version()));
      ledgerWrites.addAll(more);
      var commitResult = ledger.commit(ledgerWrites);
      if (commitResult instanceof CommitResult.Done done) {
        versionedDocument = Optional.of(new VersionedDocument<>(next, done.versions().getFirst()));
        return;
      }
      versionedDocument = ledger.read(key).filter(j -> j.value().state().equals(before));
    }
    versionedDocument = Optional.empty();
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
          ledger.commit(
              List.of(new LedgerWrite.Update(j.value().with(left(j.value())), j.version()))));
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
