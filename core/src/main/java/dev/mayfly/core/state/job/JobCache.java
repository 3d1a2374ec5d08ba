package dev.mayfly.core.state.job;

import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.plan.lease.FairShareSelector;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.TtlCache;
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
public final class JobCache {
  /** A sheet, and what it was written from. */
  private record Written(
      String hash, long tasks, Optional<PinnedImage> image, ClusterSpec spec, JobInfo sheet) {
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
  private final Timings timings;
  private final TtlCache<Job> jobs;
  private final TtlCache<JobQueue> jobQueue;
  private final TtlCache<ClusterSpec> spec;
  private final Map<String, Written> sheets = new LinkedHashMap<>();

  public JobCache(Ledger ledger, InstantSource clock, Timings timings, String cluster) {
    this.ledger = ledger;
    this.cluster = cluster;
    this.timings = timings;
    jobs = new TtlCache<>(clock, timings.workerFresh());
    jobQueue = new TtlCache<>(clock, timings.workerFresh());
    spec = new TtlCache<>(clock, timings.workerFresh());
  }

  /** The job as it was a moment ago: its work may be leased. */
  public Optional<Job> job(String uid) {
    return jobs.get(uid, _ -> timings.jobFresh(), () -> read(uid));
  }

  /** The job as far as was heard: enough for what is leased already. */
  public Optional<Job> lastKnown(String uid) {
    return jobs.get(uid, () -> read(uid));
  }

  /** Whether leases of the job go on. */
  public boolean running(String uid) {
    return job(uid).map(Job::running).orElse(false);
  }

  /** The job as it is now, whatever was read before. */
  public Optional<Job> reload(String uid) {
    return jobs.reload(uid, () -> read(uid));
  }

  /** Whether it can be read, or is not there at all. */
  public boolean isReadable(String uid) {
    try {
      lastKnown(uid);
      return true;
    } catch (UnreadableDocumentException unknown) {
      return false;
    }
  }

  private Optional<Job> read(String uid) {
    return ledger.read(new DocumentKey.OfJob(cluster, uid)).map(VersionedDocument::value);
  }

  /** Whether some job runs its tasks on several workers at once. */
  public boolean hasGangs() {
    return turns().map(t -> t.rows().stream().anyMatch(r -> r.gang() > 1)).orElse(false);
  }

  public Optional<JobQueue> turns() {
    return jobQueue.get(
        cluster,
        known ->
            known.filter(JobCache::shared).isPresent() ? timings.jobFresh() : timings.workerFresh(),
        () -> ledger.read(new DocumentKey.OfJobQueue(cluster)).map(VersionedDocument::value));
  }

  private static boolean shared(JobQueue jobQueue) {
    return FairShareSelector.byPriority(jobQueue.rows()).stream()
        .anyMatch(FairShareSelector::hasSeveralOwners);
  }

  /** As the job and the cluster are now: written once for all the workers that ask. */
  public Optional<JobInfo> jobInfo(Job job) {
    return spec.get(
            cluster,
            () ->
                ledger
                    .read(new DocumentKey.OfCluster(cluster))
                    .map(VersionedDocument::value)
                    .map(Cluster::spec))
        .map(now -> jobInfo(job, now));
  }

  private synchronized JobInfo jobInfo(Job job, ClusterSpec now) {
    var last = sheets.get(job.uid());
    if (last != null && last.of(job, now)) return last.sheet();
    if (sheets.size() >= SHEETS) sheets.clear();
    var sheet = JobInfoBuilder.of(job, now);
    sheets.put(job.uid(), new Written(job.hash(), job.tasks(), job.image(), now, sheet));
    return sheet;
  }

  /** After a pulse: what was read before it may be old. */
  public void clear() {
    jobs.clear();
    jobQueue.clear();
    spec.clear();
  }
}
