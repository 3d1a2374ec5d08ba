package dev.mayfly.core.state.job;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Records that a user reads a job's logs: for a while after the message, its agents send them as
 * often as they can. A continuing reader repeats the message.
 *
 * <p>Repeated and late messages change nothing. However many users read, the job is written at most
 * once in half of that while.
 */
public final class LogFollowing {
  /** How long a message counts. */
  static final Duration SPAN = Duration.ofMinutes(2);

  private final Ledger ledger;
  private final InstantSource clock;

  public LogFollowing(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Throws {@link InvalidInputException} if there is no such job. */
  public void follow(Cluster cluster, String name, Instant publishedAt) {
    var until = publishedAt.plus(SPAN);
    Transactions.retry(
        "job " + name,
        () -> {
          var storedJob = job(cluster, name);
          var job = storedJob.value();
          var newest = job.followedUntil().map(at -> at.minus(SPAN));
          if (CommandOrder.of(newest, publishedAt) != CommandOrder.NEW) return true;
          if (!job.running() || !until.isAfter(clock.instant()) || known(job, until)) return true;
          var followed = new LedgerWrite.Update(job.withFollowedUntil(until), storedJob.version());
          // Instances read the job again and inform its agents at their next sync.
          var signal = new LedgerWrite.Signal(cluster.uid(), clock.instant(), false, List.of());
          return ledger.commit(List.of(followed, signal)).done();
        });
  }

  /** A reader repeats the message: one that comes before the job need not be kept. */
  private VersionedDocument<Job> job(Cluster cluster, String name) {
    try {
      return new JobLookup(ledger).job(cluster.uid(), name).job();
    } catch (UnknownNameException unknown) {
      throw new InvalidInputException(unknown.problems());
    }
  }

  private static boolean known(Job job, Instant until) {
    return job.followedUntil().filter(at -> at.isAfter(until.minus(SPAN.dividedBy(2)))).isPresent();
  }
}
