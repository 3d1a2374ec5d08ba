package dev.mayfly.core.control;

import dev.mayfly.core.error.Unreadable;
import dev.mayfly.core.lease.LeastServed;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.ExactImage;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The job, cluster and turns documents that one instance read a while ago, for one cluster.
 *
 * <p>Whoever changes what they say for waiting workers pulses, and all of it is forgotten: so they
 * may be two minutes old, as workers' documents may. Two things must be younger whatever was heard:
 * a job when its work is leased, and turns that several owners share, which rounds count anew
 * without a pulse.
 */
final class JobCache {
  /** A sheet, and what it was written from. */
  private record Written(
      String hash, long tasks, Optional<ExactImage> image, ClusterSpec spec, JobSheet sheet) {
    boolean of(Job job, ClusterSpec now) {
      return hash.equals(job.hash())
          && tasks == job.tasks()
          && image.equals(job.image())
          && spec.equals(now);
    }
  }

  private static final int SHEETS = 1_000;

  private final Ledger ledger;
  private final String cluster;
  private final Rules rules;
  private final Fresh<Job> jobs;
  private final Fresh<Turns> turns;
  private final Fresh<ClusterSpec> spec;
  private final Map<String, Written> sheets = new LinkedHashMap<>();

  JobCache(Ledger ledger, InstantSource clock, Rules rules, String cluster) {
    this.ledger = ledger;
    this.cluster = cluster;
    this.rules = rules;
    jobs = new Fresh<>(clock, rules.workerFresh());
    turns = new Fresh<>(clock, rules.workerFresh());
    spec = new Fresh<>(clock, rules.workerFresh());
  }

  /** The job as it was a moment ago: its work may be leased. */
  Optional<Job> job(String uid) {
    return jobs.get(uid, _ -> rules.jobFresh(), () -> read(uid));
  }

  /** The job as far as was heard: enough for what is leased already. */
  Optional<Job> heard(String uid) {
    return jobs.get(uid, () -> read(uid));
  }

  /** Whether leases of the job go on. */
  boolean running(String uid) {
    return job(uid).map(Job::running).orElse(false);
  }

  /** The job as it is now, whatever was read before. */
  Optional<Job> again(String uid) {
    return jobs.again(uid, () -> read(uid));
  }

  /** Whether it can be read, or is not there at all. */
  boolean isReadable(String uid) {
    try {
      heard(uid);
      return true;
    } catch (Unreadable unknown) {
      return false;
    }
  }

  private Optional<Job> read(String uid) {
    return ledger.read(new Key.OfJob(cluster, uid)).map(Stored::value);
  }

  /** Whether some job runs its tasks on several workers at once. */
  boolean gangs() {
    return turns().map(t -> t.rows().stream().anyMatch(r -> r.gang() > 1)).orElse(false);
  }

  Optional<Turns> turns() {
    return turns.get(
        cluster,
        known ->
            known.filter(JobCache::shared).isPresent() ? rules.jobFresh() : rules.workerFresh(),
        () -> ledger.read(new Key.OfTurns(cluster)).map(Stored::value));
  }

  private static boolean shared(Turns turns) {
    return LeastServed.bands(turns.rows()).stream().anyMatch(LeastServed::shared);
  }

  /** As the job and the cluster are now: written once for all the workers that ask. */
  Optional<JobSheet> sheet(Job job) {
    return spec.get(
            cluster,
            () -> ledger.read(new Key.OfCluster(cluster)).map(Stored::value).map(Cluster::spec))
        .map(now -> sheet(job, now));
  }

  private synchronized JobSheet sheet(Job job, ClusterSpec now) {
    var last = sheets.get(job.uid());
    if (last != null && last.of(job, now)) return last.sheet();
    if (sheets.size() >= SHEETS) sheets.clear();
    var sheet = Sheets.of(job, now);
    sheets.put(job.uid(), new Written(job.hash(), job.tasks(), job.image(), now, sheet));
    return sheet;
  }

  /** After a pulse: what was read before it may be old. */
  void forget() {
    jobs.forget();
    turns.forget();
    spec.forget();
  }
}
