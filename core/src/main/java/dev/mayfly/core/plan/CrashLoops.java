package dev.mayfly.core.plan;

import dev.mayfly.core.lifecycle.ShardTransitions;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.plan.veto.JobVeto;
import java.util.List;
import java.util.Optional;

/** Finds jobs whose command or environment is wrong, rather than the input of some tasks. */
public final class CrashLoops {
  /** So many tasks that fail alike, while none succeeds, are no accident of their inputs. */
  private static final int ALIKE = 3;

  private CrashLoops() {}

  /**
   * Empty once a task is done: then the command works, and what fails is in some tasks alone. Empty
   * too while most of the leased ranges, or of the tasks that began, run without a failure: they
   * may be long and right.
   *
   * @param of all tasks of the job
   * @param shards the first of a job
   */
  public static Optional<JobVeto.CrashLoop> of(long of, List<Shard> shards) {
    var failures =
        shards.stream()
            .flatMap(s -> s.evidence().stream())
            .filter(f -> f.cause() != FailureCause.STOPPED && f.cause() != FailureCause.RETURNED)
            .toList();
    var tasks = failures.stream().map(AttemptFailure::index).distinct().count();
    var codes = failures.stream().map(AttemptFailure::exitCode).distinct().count();
    if (tasks < ALIKE
        || codes > 1
        || failures.stream().anyMatch(f -> f.cause() != FailureCause.USER)
        || shards.stream().anyMatch(s -> s.done().count() > 0)
        || mostRun(shards)
        || shards.stream().mapToLong(CrashLoops::quiet).sum() > tasks) return Optional.empty();
    var workers = failures.stream().map(AttemptFailure::worker).distinct().count();
    return Optional.of(
        new JobVeto.CrashLoop(
            failures.size(), tasks, Math.max(of, tasks), workers, failures.getFirst().exitCode()));
  }

  /**
   * Tasks that run and have not failed before, as far as is known: none where failures are left
   * out.
   */
  private static long quiet(Shard shard) {
    if (shard.state() != Shard.State.LEASED || shard.evidence().size() >= ShardTransitions.EVIDENCE)
      return 0;
    var failing =
        shard.evidence().stream()
            .mapToLong(AttemptFailure::index)
            .distinct()
            .filter(i -> i < shard.cursor() && !shard.failed().has(i))
            .count();
    return shard.cursor()
        - shard.start()
        - shard.failed().within(shard.start(), shard.cursor()).count()
        - failing;
  }

  /** Whether most of the leased ranges run without a failure. */
  public static boolean mostRun(List<Shard> shards) {
    var troubled = shards.stream().filter(s -> !s.evidence().isEmpty()).count();
    var quiet =
        shards.stream()
            .filter(s -> s.state() == Shard.State.LEASED && s.evidence().isEmpty())
            .count();
    return quiet > troubled;
  }
}
