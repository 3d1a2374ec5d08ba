package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.plan.CrashLoops;
import dev.mayfly.core.plan.veto.JobVeto;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds jobs of which no attempt has ended but by the infrastructure's fault. */
public final class Interruptions {
  /** One may happen to any job. */
  private static final int SEVERAL = 2;

  private Interruptions() {}

  /**
   * Empty once a task is done, and while most of the leased ranges run without a failure.
   *
   * @param shards the first of a job
   */
  public static Optional<JobVeto.Interrupted> of(List<Shard> shards) {
    var failures =
        shards.stream()
            .flatMap(s -> s.evidence().stream())
            .filter(f -> f.cause().budget() != FailureCause.Budget.NONE)
            .toList();
    if (failures.size() < SEVERAL
        || failures.stream().anyMatch(f -> f.cause().budget() != FailureCause.Budget.INFRASTRUCTURE)
        || shards.stream().anyMatch(s -> s.done().count() > 0)
        || CrashLoops.mostRun(shards)) return Optional.empty();
    var last = failures.stream().max(Comparator.comparing(AttemptFailure::at)).orElseThrow();
    var runs =
        shards.stream()
            .filter(s -> s.has(last.index()))
            .anyMatch(s -> s.state() == Shard.State.LEASED);
    return Optional.of(new JobVeto.Interrupted(failures.size(), last, runs));
  }
}
