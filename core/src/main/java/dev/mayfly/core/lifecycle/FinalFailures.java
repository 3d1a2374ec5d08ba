package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.RetryRules;
import java.util.List;

/** Which attempts were the last ones of their tasks, so that their machines may be kept. */
public final class FinalFailures {
  private FinalFailures() {}

  /**
   * The shard with what failed for good of a lease that continues, for views: only the end of the
   * lease stores and counts it. Tasks that a user retried meanwhile have all their attempts again.
   */
  public static Shard told(Shard shard, RetryRules retries) {
    if (shard.state() != Shard.State.LEASED) return shard;
    var counted = new ShardBuilder(shard);
    for (var failure : shard.evidence())
      if (failure.attempt().equals(shard.lease().attempt())
          && shard.has(failure.index())
          && !shard.again().has(failure.index())) counted.count(failure, retries);
    return new ShardBuilder(shard).failed(counted.build().failed()).build();
  }

  /** The same of some shards of a job. */
  public static List<Shard> told(List<Shard> shards, Job job) {
    var retries = job.spec().retries();
    return shards.stream().map(shard -> told(shard, retries)).toList();
  }

  /**
   * Those of a lease's failures by which their tasks failed for good, if what they left on the
   * machine may show why.
   *
   * @param before the shard with the lease
   * @param after the same without it
   */
  public static List<AttemptFailure> of(Shard before, Shard after, List<AttemptFailure> failures) {
    return failures.stream()
        .filter(f -> f.cause().showsOnMachine())
        .filter(f -> before.has(f.index()) && after.failed().has(f.index()))
        .filter(f -> !before.failed().has(f.index()))
        .toList();
  }
}
