package dev.mayfly.core.plan;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.text.HumanDuration;
import java.util.Comparator;
import java.util.Optional;

/**
 * Finds jobs whose tasks may take longer than any machine lives that they may run on: such a task
 * is cut off by the end of the machine's life and begins again from zero.
 *
 * <p><b>Must:</b> only warn, because a timeout says how long a task may take, not how long it does.
 *
 * <p><b>Goals:</b> say nothing of jobs with a checkpoint, from which the next attempt continues;
 * nor where both have their defaults, 24 h.
 */
public final class ShortLives {
  private ShortLives() {}

  /** The warning, with the job's field. */
  public static Optional<InputError> of(JobSpec job, ClusterSpec cluster) {
    var run = job.run();
    var pools = cluster.pools().stream().filter(p -> Feasibility.mayRun(job, p)).toList();
    if (run.taskEnvironment().checkpoint().isPresent()
        || pools.isEmpty()
        || !pools.stream().allMatch(DrainPlanner::isBought)) return Optional.empty();
    var longest = pools.stream().max(Comparator.comparing(PoolSpec::life)).orElseThrow();
    if (run.timeout().compareTo(longest.life()) <= 0) return Optional.empty();
    var life = HumanDuration.exact(longest.life());
    return Optional.of(
        new InputError(
            "timeout",
            "lets a task run for %s, and the machines that it may use live for %s at most (pools[].life): a task that takes longer is cut off and begins again from zero; write a timeout below %s, name a checkpoint, or raise the life of pool %s"
                .formatted(HumanDuration.exact(run.timeout()), life, life, named(longest))));
  }

  /** The pool as the cluster's file names it. */
  private static String named(PoolSpec pool) {
    return PoolSpec.isFallback(pool.name()) ? PoolSpec.stem(pool.name()) : pool.name();
  }
}
