package dev.mayfly.core.plan.remedy;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.text.AttemptCauses;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Words what a person does about attempts that failed, and about a job that ended. */
public final class FailureRemedy {
  /** Of a cluster that is taken down. */
  static final String UP_AGAIN =
      "mayfly up, and submit it again: what is done does not run a second time";

  /** Of attempts that ended by no fault of theirs. */
  private static final String RUNS_AGAIN =
      "nothing, what was cut off runs again by itself; a checkpoint keeps what it has done";

  private static final String COMMAND = "mayfly retry";

  /** What a failure of a job's setup begins with. */
  private static final String SETUP = "setup:";

  private FailureRemedy() {}

  /** Of a job of which nothing waits; empty if none of its attempts failed. */
  public static Optional<String> ofRunning(Job job, List<Shard> shards) {
    var goOn = shards.stream().flatMap(FailureRemedy::ofOtherTasks).toList();
    if (goOn.isEmpty())
      return AttemptCauses.first(shards.stream().flatMap(FailureRemedy::ofFailedTasks).toList())
          .map(it ->
              "%s; task %d has failed for good, and mayfly retry %s/%2$d runs it again"
                  .formatted(change(job, it), it.index(), job.spec().address()));
    return AttemptCauses.first(goOn)
        .map(it ->
            switch (it.cause().budget()) {
              case FAILURES ->
                  "%s; its task runs again by itself until %s (retries.failures)"
                      .formatted(
                          change(job, it),
                          HumanAmounts.count(job.spec().retries().failures(), "attempt")
                              + " failed");
              case INFRASTRUCTURE, PLATFORM, NONE -> runsAgain(it.cause());
            });
  }

  /** What keeps others from it depends on what cut them off. */
  static String runsAgain(FailureCause cause) {
    return switch (cause) {
      case PREEMPTED ->
          RUNS_AGAIN + ", and onDemand gets it machines that the cloud does not take back";
      case OUTRANKED -> RUNS_AGAIN + ", and a higher priority gives way to fewer jobs";
      case END_OF_LIFE -> RUNS_AGAIN + ", and a longer life of the pool's machines cuts off less";
      case LOST,
          OUT_OF_MEMORY,
          TIMEOUT,
          USER,
          OUTPUT_EXISTS,
          INFRASTRUCTURE,
          DRAINED,
          TAKEN,
          STOPPED,
          RETURNED ->
          RUNS_AGAIN;
    };
  }

  /**
   * @param summary which may say it already
   */
  public static Optional<String> ofEnded(
      Cluster cluster, Job job, JobState.Ended end, List<Shard> shards, String summary) {
    if (end.result() == JobState.Result.SUCCEEDED || summary.contains(COMMAND))
      return Optional.empty();
    if (cluster.phase() != Cluster.Phase.UP) return Optional.of(UP_AGAIN);
    var again = COMMAND + " " + job.uid();
    if (end.result() == JobState.Result.STOPPED)
      return Optional.of(again + " runs what is not done");
    return AttemptCauses.first(shards.stream().flatMap(FailureRemedy::ofFailedTasks).toList())
        .map(it -> ended(job, it, again))
        .or(() -> Optional.of(again + " runs what is not done, once that is mended"));
  }

  private static String ended(Job job, AttemptFailure failure, String again) {
    return switch (failure.cause().budget()) {
      case FAILURES ->
          change(job, failure) + ", and submit it again; " + again + " runs it as it was";
      case INFRASTRUCTURE, PLATFORM, NONE ->
          again + " runs what is not done; a checkpoint keeps what a task has done";
    };
  }

  private static String change(Job job, AttemptFailure failure) {
    return switch (failure.cause()) {
      case OUT_OF_MEMORY ->
          "ask for more memory than %s a task (resources), or let it need less"
              .formatted(HumanAmounts.gib(job.spec().resources().memoryBytes()));
      case TIMEOUT -> late(job, failure);
      case OUTPUT_EXISTS -> "move away what lies at its output, or name another output";
      case USER,
          PREEMPTED,
          LOST,
          INFRASTRUCTURE,
          END_OF_LIFE,
          DRAINED,
          OUTRANKED,
          TAKEN,
          STOPPED,
          RETURNED ->
          failure.hadProcess()
              ? "mend the program or what it reads (mayfly logs %s %d has all that it wrote)"
                  .formatted(job.uid(), failure.index())
              : "mend what it names";
    };
  }

  private static String late(Job job, AttemptFailure failure) {
    return failure.evidence().startsWith(SETUP)
        ? "raise setup.timeout, or make the setup smaller"
        : "raise timeout above %s, or make its tasks smaller"
            .formatted(HumanDuration.exact(job.spec().run().timeout()));
  }

  /** Of tasks that run again, or have. */
  private static Stream<AttemptFailure> ofOtherTasks(Shard shard) {
    return shard.evidence().stream().filter(it -> !shard.failed().has(it.index()));
  }

  private static Stream<AttemptFailure> ofFailedTasks(Shard shard) {
    return shard.evidence().stream().filter(it -> shard.failed().has(it.index()));
  }
}
