package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The job, cluster and turns documents that one instance read a moment ago, for one cluster. */
final class JobCache {
  private record Seen<T>(Optional<T> value, Instant at) {}

  /** A sheet, and the job that it was written from. */
  private record Written(String hash, long tasks, JobSheet sheet) {}

  private static final Instant NEVER = Instant.EPOCH;

  private final Ledger ledger;
  private final InstantSource clock;
  private final Duration fresh;
  private final String cluster;
  private final Map<String, Seen<Stored<Job>>> jobs = new HashMap<>();
  private final Map<String, Written> sheets = new HashMap<>();
  private Seen<Turns> turns = new Seen<>(Optional.empty(), NEVER);
  private Seen<Cluster> spec = new Seen<>(Optional.empty(), NEVER);

  JobCache(Ledger ledger, InstantSource clock, Duration fresh, String cluster) {
    this.ledger = ledger;
    this.clock = clock;
    this.fresh = fresh;
    this.cluster = cluster;
  }

  synchronized Optional<Job> job(String uid) {
    var seen = jobs.get(uid);
    if (seen == null || old(seen)) {
      jobs.values().removeIf(this::old);
      seen = new Seen<>(ledger.read(new Key.OfJob(cluster, uid)), clock.instant());
      jobs.put(uid, seen);
    }
    return seen.value().map(Stored::value);
  }

  /** The job as it is now, whatever was read before. */
  synchronized Optional<Job> again(String uid) {
    jobs.remove(uid);
    return job(uid);
  }

  synchronized Optional<Turns> turns() {
    if (old(turns))
      turns = new Seen<>(ledger.read(new Key.OfTurns(cluster)).map(Stored::value), clock.instant());
    return turns.value();
  }

  /** As the job and the cluster are now: written once for all the workers that ask. */
  synchronized Optional<JobSheet> sheet(Job job) {
    if (spec.value().isEmpty() || old(spec)) read();
    return spec.value()
        .map(c ->
            sheets.compute(
                job.uid(),
                (_, last) ->
                    last != null && last.hash().equals(job.hash()) && last.tasks() == job.tasks()
                        ? last
                        : new Written(job.hash(), job.tasks(), Sheets.of(job, c.spec()))))
        .map(Written::sheet);
  }

  private void read() {
    var before = spec.value();
    spec = new Seen<>(ledger.read(new Key.OfCluster(cluster)).map(Stored::value), clock.instant());
    var same =
        before.isPresent()
            && spec.value().isPresent()
            && before.get().spec().equals(spec.value().get().spec());
    if (!same) sheets.clear();
    else sheets.keySet().retainAll(jobs.keySet());
  }

  /** After a pulse: what was read before it may be old. */
  synchronized void forget() {
    jobs.clear();
    turns = new Seen<>(Optional.empty(), NEVER);
  }

  private boolean old(Seen<?> seen) {
    return Pause.over(seen.at(), fresh, clock.instant());
  }
}
