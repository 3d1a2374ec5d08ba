package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Somebody reads a job's logs now: until a while after the message its agents send them as often as
 * they can. Whoever goes on reading says so again.
 *
 * <p>A repeated message changes nothing, nor does a late one. However many read, the job is written
 * once in half of that while at most.
 */
final class Follows {
  /** How long a message counts. */
  static final Duration SPAN = Duration.ofMinutes(2);

  private static final int TRIES = 8;

  private final Ledger ledger;
  private final InstantSource clock;

  Follows(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Throws {@link Invalid} when there is no such job. */
  void follow(Cluster cluster, String name, Instant publishedAt) {
    var until = publishedAt.plus(SPAN);
    for (var tries = 0; tries < TRIES; tries++) {
      var stored = job(cluster, name);
      var job = stored.value();
      var newest = job.followedUntil().map(at -> at.minus(SPAN));
      if (Word.of(newest, publishedAt) != Word.NEW) return;
      if (!job.running() || !until.isAfter(clock.instant()) || known(job, until)) return;
      var followed = new Write.Update(job.followed(until), stored.version());
      // Instances read the job again, and tell its agents at their next call.
      var told = new Write.Notify(cluster.uid(), clock.instant(), false, List.of());
      if (ledger.commit(List.of(followed, told)).done()) return;
    }
    throw new Unavailable("job " + name + " changes too fast; the message comes again");
  }

  private Stored<Job> job(Cluster cluster, String name) {
    return ledger
        .read(new Key.OfJobName(cluster.uid(), name))
        .flatMap(n -> n.value().job())
        .flatMap(uid -> ledger.read(new Key.OfJob(cluster.uid(), uid)))
        .orElseThrow(() -> new Invalid("job", "there is no job " + name));
  }

  private static boolean known(Job job, Instant until) {
    return job.followedUntil().filter(at -> at.isAfter(until.minus(SPAN.dividedBy(2)))).isPresent();
  }

  /** Whether somebody reads the job's logs now. */
  static boolean now(Optional<Job> job, Instant now) {
    return job.flatMap(Job::followedUntil).filter(now::isBefore).isPresent();
  }
}
