package dev.mayfly.core.jobs;

import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnavailableException;
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
import java.util.function.UnaryOperator;

/**
 * Long work on one job, done by one call step by step. A call claims the work before its first
 * step, with a time in the job's document, and renews that time with each step and within long
 * ones; so neither a tick nor a repeated trigger does the same beside it. The claim of a call that
 * died ends with its time, and a tick passes the work on. If two calls claim at once, the one that
 * commits second stops.
 */
final class ResumableWork {
  /** How long a claim holds without progress; after a crash, another call continues then. */
  static final Duration CLAIM = Duration.ofMinutes(1);

  /** A claim that ends sooner is renewed. */
  private static final Duration RENEWED = CLAIM.dividedBy(2);

  private static final int MAX_TRIES = 3;

  private final Ledger ledger;
  private final InstantSource clock;
  private final DocumentKey.OfJob key;
  private Optional<VersionedDocument<Job>> storedJob = Optional.empty();
  private Optional<Instant> ownUntil = Optional.empty();

  private ResumableWork(Ledger ledger, InstantSource clock, DocumentKey.OfJob key) {
    this.ledger = ledger;
    this.clock = clock;
    this.key = key;
  }

  /**
   * Claims the work of the job while it is in such a state; empty if it is not, or if another call
   * works on it.
   */
  static ResumableWork of(
      Ledger ledger,
      InstantSource clock,
      DocumentKey.OfJob key,
      Class<? extends JobState> longState) {
    var work = new ResumableWork(ledger, clock, key);
    work.run(() -> work.claim(longState));
    return work;
  }

  private void claim(Class<? extends JobState> longState) {
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      storedJob =
          ledger
              .read(key)
              .filter(j -> longState.isInstance(j.value().state()))
              .filter(j -> !j.value().state().isWorkedOn(clock.instant()));
      if (storedJob.isEmpty()) return;
      var job = storedJob.get().value();
      if (commit(job.with(claimed(job.state())), List.of())) return;
    }
    storedJob = Optional.empty();
  }

  private JobState claimed(JobState state) {
    return state.claimed(clock.instant().plus(CLAIM));
  }

  /** The job as this call knows it; empty if it is gone or another call has taken over. */
  Optional<VersionedDocument<Job>> stored() {
    return storedJob;
  }

  /** Commits a step after which this call goes on. */
  void step(UnaryOperator<Job> change, List<LedgerWrite> more) {
    store(
        was -> {
          var next = change.apply(was);
          return next.with(claimed(next.state()));
        },
        more);
  }

  /** Commits the last step of this call: the next one may claim the work at once. */
  void lastStep(UnaryOperator<Job> change, List<LedgerWrite> more) {
    store(
        was -> {
          var next = change.apply(was);
          return next.with(next.state().released(clock.instant()));
        },
        more);
  }

  /**
   * To be called between the parts of a step that may be long. Throws {@link UnavailableException}
   * if the job's state was changed meanwhile, so that this call stops.
   */
  void renew() {
    if (ownUntil.isEmpty() || clock.instant().plus(RENEWED).isBefore(ownUntil.get())) return;
    step(UnaryOperator.identity(), List.of());
    if (storedJob.isEmpty())
      throw new UnavailableException("job " + key.job() + " was changed concurrently");
  }

  /**
   * Other changes of the job's document are merged; after a change of its state this call stops.
   */
  private void store(UnaryOperator<Job> change, List<LedgerWrite> more) {
    var before = storedJob.orElseThrow().value().state();
    for (var tries = 0; tries < MAX_TRIES && storedJob.isPresent(); tries++) {
      if (commit(change.apply(storedJob.get().value()), more)) return;
      storedJob = ledger.read(key).filter(j -> j.value().state().equals(before));
    }
    storedJob = Optional.empty();
  }

  private boolean commit(Job next, List<LedgerWrite> more) {
    var before = ownUntil;
    ownUntil = next.state().workedUntil();
    var ledgerWrites = new ArrayList<LedgerWrite>();
    ledgerWrites.add(new LedgerWrite.Update(next, storedJob.orElseThrow().version()));
    ledgerWrites.addAll(more);
    if (!(ledger.commit(ledgerWrites) instanceof CommitResult.Done done)) {
      ownUntil = before;
      return false;
    }
    storedJob = Optional.of(new VersionedDocument<>(next, done.versions().getFirst()));
    return true;
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

  /** Lets another call start at once, unless one has taken over. */
  void release() {
    if (ownUntil.isEmpty()) return;
    try {
      var now = ledger.read(key).filter(j -> j.value().state().workedUntil().equals(ownUntil));
      now.map(j -> j.value().with(j.value().state().released(clock.instant())))
          .ifPresent(j -> ledger.commit(List.of(new LedgerWrite.Update(j, now.get().version()))));
    } catch (MayflyException ignored) {
      // Another call then waits until the time has passed.
    }
  }
}
