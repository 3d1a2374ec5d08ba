package dev.mayfly.core.plan.spending;

import dev.mayfly.core.catalog.PoolPrice;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds machines that count as nothing towards the {@code maxUsd} of jobs that may use them. */
public final class UnpricedPools {
  private UnpricedPools() {}

  /** The warning, with the job's field. */
  public static Optional<InputError> of(JobSpec job, ClusterSpec cluster) {
    if (job.admission().maxUsd().isEmpty()) return Optional.empty();
    var unpriced =
        cluster.pools().stream()
            .filter(pool -> Feasibility.mayRun(job, pool))
            .filter(pool -> PoolPrice.usdPerHour(cluster, pool).isEmpty())
            .map(pool ->
                "%s (%s, %s)"
                    .formatted(pool.name(), pool.machineType(), pool.provisioning().word()))
            .collect(Collectors.joining(", "));
    return unpriced.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new InputError(
                "maxUsd",
                "does not count machines whose price is not known, so that tasks there run without a limit: pools %s; give these a price in budget.prices of the cluster's file, or name other pools in the job's"
                    .formatted(unpriced)));
  }
}
