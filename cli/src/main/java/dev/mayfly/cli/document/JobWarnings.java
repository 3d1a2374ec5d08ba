package dev.mayfly.cli.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.SecretsInClear;
import dev.mayfly.core.plan.ShortLives;
import dev.mayfly.core.plan.UnmountedPaths;
import dev.mayfly.core.plan.spending.UnaskedPurchases;
import dev.mayfly.core.plan.spending.UnpricedPools;
import dev.mayfly.core.text.InputUse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a job may ask for, and will probably not go as it was meant. */
public final class JobWarnings {
  private JobWarnings() {}

  /** The warnings that need no cluster, with paths in the job's document. */
  static List<InputError> of(JobSpec job) {
    var all = new ArrayList<>(SecretsInClear.of(job.run().env()));
    all.addAll(UnkeyedFiles.of(job.run().taskEnvironment().setup()));
    InputUse.unused(job).ifPresent(all::add);
    KeptCheckpoints.of(job).ifPresent(all::add);
    return all;
  }

  /** The warnings for its cluster, with those that need none. */
  public static List<InputError> of(JobSpec job, ClusterSpec cluster) {
    var all = new ArrayList<>(of(job));
    all.addAll(UnmountedPaths.of(job, cluster));
    ShortLives.of(job, cluster).ifPresent(all::add);
    UnpricedPools.of(job, cluster).ifPresent(all::add);
    UnaskedPurchases.of(job, cluster).ifPresent(all::add);
    var bare =
        cluster.pools().stream()
            .filter(pool -> Feasibility.mayRun(job, pool))
            .filter(pool -> BootImageWarnings.plain(pool).isPresent())
            .map(PoolSpec::name)
            .collect(Collectors.joining(", "));
    if (job.run().image().isPresent() && cluster.image().isEmpty() && !bare.isEmpty())
      all.add(
          new InputError(
              "image",
              "needs a container engine, and machines of %s start from plain Debian or the like without one; write image in the cluster's file too, for which machines install docker, or give the pool a boot image that has it (machine.image)"
                  .formatted(bare)));
    return all;
  }
}
