package dev.mayfly.core.query;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.Ledger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Explains why tasks of a running job are not leased, for {@link JobExplainer} and the list of
 * jobs.
 */
final class WaitingReasons {
  private final Ledger ledger;
  private final Instant now;

  WaitingReasons(Ledger ledger, Instant now) {
    this.ledger = ledger;
    this.now = now;
  }

  /**
   * The most important first; empty if nothing is known to hold it up.
   *
   * @param rows of the queue
   * @param workers of the cluster
   */
  List<JobExplanation.Reason> of(
      Cluster cluster, Job job, List<JobQueue.Row> rows, List<Worker> workers) {
    var reasons = new ArrayList<JobExplanation.Reason>();
    var placement = job.spec().place();
    reasons.addAll(QueueReasons.pins(placement, workers));
    PlacementReasons.explain(placement, cluster.spec()).ifPresent(reasons::add);
    PlacementReasons.labels(placement, workers).ifPresent(reasons::add);
    var pools = usable(cluster, job);
    reasons.addAll(UnfitReasons.of(in(pools, job, workers)));
    for (var text : PlacementReasons.rollouts(cluster, workers, now))
      reasons.add(new JobExplanation.Reason("rollout", text));
    reasons.addAll(new OnDemandReasons(ledger, now).of(cluster, job, workers));
    for (var pool : pools) pool(job, pool, in(List.of(pool), job, workers), reasons);
    reasons.addAll(GangReasons.waiting(cluster, job, workers));
    reasons.addAll(QueueReasons.of(rows, job, workers, cluster.spec()));
    return reasons;
  }

  /** The pools whose machines are large enough for the job, where it may run. */
  private static List<PoolSpec> usable(Cluster cluster, Job job) {
    return cluster.spec().pools().stream()
        .filter(p -> job.spec().place().allowsSomeZone(p))
        .filter(p -> p.visible().fits(job.spec().resources()))
        .toList();
  }

  private static List<Worker> in(List<PoolSpec> pools, Job job, List<Worker> workers) {
    var names = pools.stream().map(PoolSpec::name).toList();
    return workers.stream()
        .filter(w -> names.contains(w.pool()) && w.mayRun(job.spec().place()))
        .toList();
  }

  private void pool(
      Job job, PoolSpec pool, List<Worker> workers, List<JobExplanation.Reason> reasons) {
    var ready =
        workers.stream()
            .filter(w -> w.state() instanceof WorkerState.Ready && !UnfitReasons.isUnfit(w))
            .toList();
    var booting =
        workers.stream()
            .filter(w ->
                w.state() instanceof WorkerState.Booting
                    || w.state() instanceof WorkerState.Launching)
            .toList();
    for (var worker : ready.stream().limit(5).toList())
      new CapacityReasons(ledger).of(job, worker).ifPresent(reasons::add);
    if (ready.size() > 5)
      reasons.add(
          new JobExplanation.Reason(
              "room", (ready.size() - 5) + " more workers of pool " + pool.name() + " are ready"));
    BootingReason.of(pool, booting, workers, now).ifPresent(reasons::add);
    // A new machine is never one that the job names.
    if (job.spec().place().allowsLaunches()) launches(job, pool, workers, reasons);
  }

  /** Explains why no machine is added. */
  private void launches(
      Job job, PoolSpec pool, List<Worker> workers, List<JobExplanation.Reason> reasons) {
    var counted =
        workers.stream()
            .filter(w -> w.state().live() || w.state() instanceof WorkerState.Draining)
            .count();
    var unfit = workers.stream().filter(UnfitReasons::isUnfit).count();
    if (counted >= pool.max())
      reasons.add(
          new JobExplanation.Reason(
              "max",
              "pool %s has its maximum of workers, %d%s"
                  .formatted(
                      pool.name(),
                      pool.max(),
                      unfit > 0
                          ? ", of which %d take no tasks now".formatted(unfit)
                          : "; raise workers.max for more")));
    else if (pool.provisioning() == Provisioning.STATIC)
      reasons.add(
          new JobExplanation.Reason(
              "join",
              "pool %s has %d of %d static workers; mayfly worker join --pool %s adds one"
                  .formatted(pool.name(), counted, pool.max(), pool.name())));
    else
      new LaunchFailureReasons(ledger, now)
          .reasons(job.cluster(), pool, job.spec().place())
          .forEach(reasons::add);
  }
}
