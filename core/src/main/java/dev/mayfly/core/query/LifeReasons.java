package dev.mayfly.core.query;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.capacity.DrainPlanner;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Why a job's tasks begin again and again: their machines do not live long enough. One such end
 * without a checkpoint is worth the first place, because each further attempt costs a whole life.
 */
final class LifeReasons {
  private LifeReasons() {}

  static Optional<JobExplanation.Reason> of(Cluster cluster, Job job, List<Shard> shards) {
    if (job.state() instanceof JobState.Ended ended && ended.result() == JobState.Result.SUCCEEDED)
      return Optional.empty();
    var ends =
        shards.stream()
            .flatMap(s -> s.evidence().stream().filter(f -> isCutOff(s, f)))
            .sorted(Comparator.comparingLong(AttemptFailure::index))
            .toList();
    if (ends.isEmpty()) return Optional.empty();
    var tasks = ends.stream().map(AttemptFailure::index).distinct().toList();
    var one = tasks.size() == 1;
    return Optional.of(
        new JobExplanation.Reason(
            "life",
            "%s cut off %s by the end of %s machine's life and stored no checkpoint, so that %s from zero each time%s; name a checkpoint, raise the life, or split the task: it fails when this has happened %s (retries.infrastructure)"
                .formatted(
                    named(tasks),
                    times(ends.size()),
                    one ? "its" : "their",
                    one ? "it begins" : "they begin",
                    lives(cluster, job),
                    times(job.spec().retries().interruptions(FailureCause.END_OF_LIFE)))));
  }

  private static boolean isCutOff(Shard shard, AttemptFailure f) {
    return f.cause() == FailureCause.END_OF_LIFE && !f.isKept() && !shard.done().has(f.index());
  }

  private static String named(List<Long> tasks) {
    return tasks.size() == 1
        ? "task %d was".formatted(tasks.getFirst())
        : "%,d tasks were".formatted(tasks.size());
  }

  private static String times(int n) {
    return n == 1 ? "once" : "%,d times".formatted(n);
  }

  /** Empty where no pool that the job may use has a life, for its spec may have changed. */
  private static String lives(Cluster cluster, Job job) {
    return cluster.spec().pools().stream()
        .filter(p -> DrainPlanner.isBought(p) && Feasibility.mayRun(job.spec(), p))
        .map(PoolSpec::life)
        .max(Comparator.<Duration>naturalOrder())
        .map(life -> " (machines live for %s, pools[].life)".formatted(HumanDuration.exact(life)))
        .orElse("");
  }
}
