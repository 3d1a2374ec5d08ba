package dev.mayfly.sim.check.money;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.util.List;

/**
 * I34: without work, no pool has more new machines that were launched for no job than its minimum
 * and its spare ones together, when one is launched. While there is work, jobs take those that are
 * on their way, and others are launched in their place.
 */
public final class SpareWithinWish implements Invariant {
  private static final Duration LATE = Duration.ofMinutes(2);

  private final GroundTruth groundTruth;

  public SpareWithinWish(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().isEmpty()
          && change.after().orElse(null) instanceof Worker worker
          && worker.provisioning() != Provisioning.STATIC
          && worker.launchedFor().isEmpty())
        groundTruth
            .cluster(worker.cluster())
            .ifPresent(cluster ->
                cluster.spec().pool(worker.pool()).ifPresent(pool -> check(cluster, pool)));
  }

  /** A plan may be carried out late. */
  private boolean mayHaveWork(Cluster cluster) {
    var late = groundTruth.now().minus(LATE);
    return groundTruth.all(Job.class).stream()
        .filter(job -> job.cluster().equals(cluster.uid()))
        .anyMatch(
            job -> !(job.state() instanceof JobState.Ended ended) || late.isBefore(ended.since()));
  }

  private void check(Cluster cluster, PoolSpec pool) {
    if (mayHaveWork(cluster)) return;
    var idle =
        groundTruth.all(Worker.class).stream()
            .filter(w -> w.cluster().equals(cluster.uid()) && w.pool().equals(pool.name()))
            .filter(w -> w.launchedFor().isEmpty() && w.state().live() && w.state().isNew())
            .filter(w -> w.generation() == cluster.generation() && w.unfit().isEmpty())
            .filter(w -> Cordons.of(w, groundTruth.now()).isEmpty())
            .count();
    if (idle > pool.min() + pool.spares())
      throw new InvariantViolation(
          "I34",
          "%d machines of pool %s were launched for no job, and it keeps %d and %d spare"
              .formatted(idle, pool.name(), pool.min(), pool.spares()));
  }
}
