package dev.mayfly.core.query;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.plan.CrashLoops;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.text.AttemptCauses;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Why a job's attempts ended without a result, for {@link JobExplainer}: the most frequent first.
 */
final class AttemptReasons {
  private static final int CAUSES = 3;

  private AttemptReasons() {}

  /**
   * Empty for a job that succeeded, because nothing holds it up. A stop is not a failure, and a job
   * that ended gets no more machines anyway.
   */
  static List<JobExplanation.Reason> of(Job job, List<Shard> shards, Instant now) {
    var ended = job.state() instanceof JobState.Ended;
    if (job.state() instanceof JobState.Ended end && end.result() == JobState.Result.SUCCEEDED)
      return List.of();
    var loop =
        CrashLoops.of(job.tasks().count(), shards)
            .filter(_ -> !ended)
            .map(veto -> VetoText.of(veto, now))
            .stream()
            .map(text -> new JobExplanation.Reason(text.kind(), text.text()));
    return Stream.concat(loop, commonest(job, shards)).toList();
  }

  private static Stream<JobExplanation.Reason> commonest(Job job, List<Shard> shards) {
    var causes = AttemptCauses.of(shards.stream().flatMap(s -> s.evidence().stream()).toList());
    var fates = new Fates(job.state() instanceof JobState.Ended, shards);
    var told =
        causes.stream()
            .limit(CAUSES)
            .map(it -> {
              var fate = fates.of(List.of(it));
              return fate.reason(
                  HumanAmounts.count(it.attempts(), "attempt")
                      + " ended: "
                      + it.words()
                      + fate.text(it.tasks().size()));
            });
    var rest = causes.stream().skip(CAUSES).toList();
    return Stream.concat(
        told, others(job, shards, rest).stream().map(text -> fates.of(rest).reason(text)));
  }

  /** What became of the tasks whose attempts ended without a result. */
  private enum Fate {
    FAILING("failing"),
    REPEATED("repeated"),
    RECOVERED("recovered"),
    INTERRUPTED("interrupted");

    private final String kind;

    Fate(String kind) {
      this.kind = kind;
    }

    JobExplanation.Reason reason(String text) {
      return new JobExplanation.Reason(kind, text);
    }

    /** The end of a sentence. */
    String text(int tasks) {
      return switch (this) {
        case FAILING, INTERRUPTED -> "";
        case REPEATED -> tasks == 1 ? "; its task runs again" : "; their tasks run again";
        case RECOVERED -> tasks == 1 ? "; its task is done since" : "; their tasks are done since";
      };
    }
  }

  /**
   * @param ended whether nothing of the job runs again
   */
  private record Fates(boolean ended, List<Shard> shards) {
    Fate of(List<AttemptCauses.Cause> causes) {
      if (causes.stream().allMatch(AttemptCauses.Cause::nobodysFault)) return Fate.INTERRUPTED;
      var tasks = causes.stream().flatMap(cause -> cause.tasks().stream()).toList();
      if (tasks.stream().allMatch(task -> isIn(task, Shard::done))) return Fate.RECOVERED;
      var forGood = tasks.stream().anyMatch(task -> isIn(task, Shard::failed));
      return ended || forGood ? Fate.FAILING : Fate.REPEATED;
    }

    private boolean isIn(long task, Function<Shard, TaskSet> set) {
      return shards.stream().anyMatch(shard -> set.apply(shard).has(task));
    }
  }

  /** A task that failed and runs again is not among those that failed for good. */
  private static Optional<String> others(
      Job job, List<Shard> shards, List<AttemptCauses.Cause> rest) {
    if (rest.isEmpty()) return Optional.empty();
    // A newer job may have the name of one that has ended.
    var name = job.state() instanceof JobState.Ended ? job.uid() : job.spec().name();
    var forGood = shards.stream().anyMatch(s -> s.failed().count() > 0);
    return Optional.of(
        "%s of %s%s"
            .formatted(
                AttemptCauses.others(rest.size()),
                HumanAmounts.count(
                    rest.stream().mapToLong(AttemptCauses.Cause::attempts).sum(), "attempt"),
                forGood ? AttemptCauses.ofFailed(name) : ": mayfly tasks " + name));
  }
}
