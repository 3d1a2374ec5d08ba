package dev.mayfly.core.state.job;

import dev.mayfly.core.error.UnreadableDocumentException;
import dev.mayfly.core.model.cluster.ClusterLimits;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.ExitCodeRule;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.plan.lease.FairShareSelector;
import dev.mayfly.core.plan.share.FairShareRule;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.TtlCache;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One cluster's job, cluster and queue documents that this instance read recently.
 *
 * <p>Changes that matter to waiting workers are signalled and clear the cache, so entries may be
 * two minutes old, like workers' documents. Two kinds must be fresher in any case: a job when its
 * work is leased, and a queue that several owners share, which reconciles recount without a signal.
 */
public final class JobCache {
  /** A job info and what it was built from. */
  private record CachedInfo(
      String hash,
      long tasks,
      Instant since,
      Optional<PinnedImage> image,
      ClusterSpec spec,
      JobInfo jobInfo) {
    boolean of(Job job, ClusterSpec now) {
      return hash.equals(job.hash())
          && tasks == job.tasks().count()
          && since.equals(job.since())
          && image.equals(job.image())
          && spec.equals(now);
    }
  }

  private static final int MOST_INFOS = 1_000;

  private final Context context;
  private final String cluster;
  private final TtlCache<Job> jobs;
  private final TtlCache<JobQueue> jobQueue;
  private final TtlCache<ClusterSpec> spec;
  private final Map<String, CachedInfo> infos = new LinkedHashMap<>();
  private volatile @Nullable Shared lastShared;

  public JobCache(Context context, String cluster) {
    this.context = context;
    this.cluster = cluster;
    jobs = new TtlCache<>(context.clock(), context.timings().workerFresh());
    jobQueue = new TtlCache<>(context.clock(), context.timings().workerFresh());
    spec = new TtlCache<>(context.clock(), context.timings().workerFresh());
  }

  /** The job, fresh enough to lease its work. */
  public Optional<Job> job(String uid) {
    return jobs.get(uid, _ -> context.timings().jobFresh(), () -> read(uid));
  }

  /** The job if its tasks may be leased: one whose info cannot be built for agents is not. */
  public Optional<Job> granted(String uid) {
    try {
      return job(uid).filter(Job::running).filter(it -> jobInfo(it).isPresent());
    } catch (UnreadableDocumentException unknown) {
      return Optional.empty();
    }
  }

  /** The job as last signalled: enough for leases that exist. */
  public Optional<Job> lastKnown(String uid) {
    return jobs.get(uid, () -> read(uid));
  }

  /**
   * The same for a lease of that time. A job that did not run before it, and was retried since, is
   * read again: nobody would have granted its work.
   */
  public Optional<Job> lastKnown(String uid, Instant leasedAt) {
    var sinceGrant = Duration.between(leasedAt, context.clock().instant());
    var fresh = context.timings().workerFresh();
    return jobs.get(
        uid,
        known ->
            known.filter(Job::running).isPresent() || sinceGrant.compareTo(fresh) > 0
                ? fresh
                : sinceGrant,
        () -> read(uid));
  }

  /** Whether the job's leases may continue; one that did not run may have been retried since. */
  public boolean running(String uid) {
    return job(uid).filter(Job::running).or(() -> reload(uid)).map(Job::running).orElse(false);
  }

  /** Reads the job now, ignoring the cache. */
  public Optional<Job> reload(String uid) {
    return jobs.reload(uid, () -> read(uid));
  }

  /** Whether the job is readable or absent. */
  public boolean isReadable(String uid) {
    try {
      lastKnown(uid);
      return true;
    } catch (UnreadableDocumentException unknown) {
      return false;
    }
  }

  /** What exit codes mean to it; nothing if it cannot be read. */
  public List<ExitCodeRule> exitCodes(String uid) {
    return isReadable(uid)
        ? lastKnown(uid).map(j -> j.spec().retries().exitCodes()).orElse(List.of())
        : List.of();
  }

  private Optional<Job> read(String uid) {
    return context.ledger().read(new DocumentKey.OfJob(cluster, uid)).map(VersionedDocument::value);
  }

  /** Whether some job runs its tasks on several workers at once. */
  public boolean hasGangs() {
    return rows().stream().anyMatch(r -> r.gang() > 1);
  }

  /** Whether a job waits for room there: plans take back what they know not to have started. */
  public boolean isKept(String worker) {
    return rows().stream().anyMatch(row -> row.kept().contains(worker));
  }

  public List<JobQueue.Row> rows() {
    return queue().map(JobQueue::rows).orElse(List.of());
  }

  public Optional<JobQueue> queue() {
    return jobQueue.get(
        cluster,
        known ->
            known.filter(this::isShared).isPresent()
                ? context.timings().jobFresh()
                : context.timings().workerFresh(),
        () ->
            context
                .ledger()
                .read(new DocumentKey.OfJobQueue(cluster))
                .map(VersionedDocument::value));
  }

  /** It is asked at each sync, of the same queue. */
  private boolean isShared(JobQueue jobQueue) {
    var last = lastShared;
    if (last == null || !last.of().equals(jobQueue)) lastShared = last = Shared.of(jobQueue);
    return last.shared();
  }

  /** Whether several owners share the queue. */
  private record Shared(JobQueue of, boolean shared) {
    static Shared of(JobQueue jobQueue) {
      return new Shared(
          jobQueue,
          FairShareSelector.byPriority(jobQueue.rows()).stream()
              .anyMatch(FairShareSelector::hasSeveralOwners));
    }
  }

  /** The job's info by current job and cluster, built once for all workers. */
  public Optional<JobInfo> jobInfo(Job job) {
    return spec().map(now -> jobInfo(job, now));
  }

  /** What one owner may take of the cluster. */
  public ClusterLimits limits() {
    return spec().map(ClusterSpec::limit).orElse(ClusterLimits.NONE);
  }

  /** The rule by which owners share the cluster now. */
  public FairShareRule shareRule(List<JobQueue.OwnerUse> uses) {
    return spec()
        .map(it -> FairShareRule.of(it, uses, context.clock().instant()))
        .orElse(FairShareRule.EQUAL);
  }

  /**
   * The info for a worker in the zone, with the image of its region's mirror. The hash is the same
   * in all zones, because a worker stays in its zone.
   */
  public Optional<JobInfo> jobInfo(Job job, String zone) {
    return spec()
        .map(now -> {
          var jobInfo = jobInfo(job, now);
          return jobInfo.withSpec(jobInfo.spec().withImage(i -> now.nearest(i, zone)));
        });
  }

  private Optional<ClusterSpec> spec() {
    return spec.get(
        cluster,
        () ->
            context
                .ledger()
                .read(new DocumentKey.OfCluster(cluster))
                .map(VersionedDocument::value)
                .map(Cluster::spec));
  }

  private synchronized JobInfo jobInfo(Job job, ClusterSpec now) {
    var last = infos.get(job.uid());
    if (last != null && last.of(job, now)) return last.jobInfo();
    if (infos.size() >= MOST_INFOS) infos.clear();
    var jobInfo = JobInfoBuilder.of(job, now);
    infos.put(
        job.uid(),
        new CachedInfo(job.hash(), job.tasks().count(), job.since(), job.image(), now, jobInfo));
    return jobInfo;
  }

  /** Clears everything after a change signal. */
  public void clear() {
    jobs.clear();
    jobQueue.clear();
    spec.clear();
  }
}
