package dev.mayfly.core.sync;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.JobCompletion;
import dev.mayfly.core.state.worker.DueTimes;
import dev.mayfly.core.state.worker.LeaseRevoker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The service that agents call, one per function instance. It handles their reports, grants leases,
 * keeps syncs without new orders pending, and monitors liveness.
 *
 * <p>Thread-safe. No in-memory state must survive: another instance continues from the ledger.
 */
public final class SyncService implements AutoCloseable {
  /** Slightly shorter than the interval of ticks. */
  private static final Duration WATCH_TIME = Duration.ofSeconds(58);

  private final Context context;
  private final StallDetector detector;
  private final String instance;
  private final LeaseRevoker leaseRevoker;
  private final JobCompletion jobCompletion;
  private final DueTimes dueTimes;
  private final LivenessMonitor livenessMonitor;
  private final Map<String, ClusterSession> clusterSessions = new ConcurrentHashMap<>();

  /**
   * @param instance a name that no other instance has or had within the last minutes
   */
  public SyncService(Context context, String instance) {
    detector =
        new StallDetector(
            context.executor(), context.clock(), context.timings().silentAfter().dividedBy(2));
    this.context = context.with(detector);
    this.instance = instance;
    leaseRevoker = new LeaseRevoker(context);
    jobCompletion = new JobCompletion(context);
    dueTimes = new DueTimes(context.ledger());
    livenessMonitor = new LivenessMonitor(context, leaseRevoker, dueTimes);
  }

  /**
   * Takes a report and answers it through {@code reply} exactly once: now if there are new orders,
   * later if not. A repeated or overtaken report changes nothing and is answered.
   *
   * <p>Throws {@link dev.mayfly.core.error.DeniedException} for a report that is not from the
   * worker's machine, and {@link dev.mayfly.core.error.UnavailableException} if the ledger cannot
   * be reached; then {@code reply} is not called.
   */
  public void sync(SyncReport report, Consumer<SyncOrders> reply) {
    try {
      session(report.cluster()).sync(report, reply);
    } catch (UnavailableException outage) {
      dueTimes.ledgerFailed(report.cluster(), context.clock().instant());
      throw outage;
    }
  }

  /**
   * Watches a cluster for a minute while a worker in it is silent, so that lost workers are found
   * even if no sync arrives. A tick calls it.
   */
  public void watch(String cluster) {
    watch(cluster, WATCH_TIME, () -> {});
  }

  /** The same for at most {@code span}; {@code over} is called once at its end. */
  public void watch(String cluster, Duration span, Runnable over) {
    watch(cluster, context.clock().instant().plus(span), over);
  }

  private void watch(String cluster, Instant until, Runnable over) {
    var next = context.clock().instant().plus(context.timings().livenessInterval());
    if (silent(cluster) && next.isBefore(until))
      context.executor().callAt(next, () -> watch(cluster, until, over));
    else over.run();
  }

  /** Whether a worker that should report is silent now. Writes nothing. */
  public boolean hasSilentWorkers(String cluster) {
    return livenessMonitor.hasSilentWorkers(cluster);
  }

  private boolean silent(String cluster) {
    try {
      return livenessMonitor.passIfDue(cluster);
    } catch (UnavailableException later) {
      return true;
    }
  }

  private ClusterSession session(String cluster) {
    var known = clusterSessions.get(cluster);
    if (known != null) return known;
    // An unreadable cluster still exists and its machines are served.
    if (context.ledger().readAll(List.of(new DocumentKey.OfCluster(cluster))).isEmpty())
      throw new DeniedException(
          "there is no cluster " + cluster + " that this machine could report to");
    return clusterSessions.computeIfAbsent(
        cluster,
        c ->
            new ClusterSession(
                context, detector, c, instance, leaseRevoker, livenessMonitor, jobCompletion));
  }

  @Override
  public void close() {
    clusterSessions.values().forEach(ClusterSession::close);
  }
}
