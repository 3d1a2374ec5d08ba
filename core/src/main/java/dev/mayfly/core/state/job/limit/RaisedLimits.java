package dev.mayfly.core.state.job.limit;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.plan.spending.RunTimeLimit;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;

/** The limits of a job that a retry changes. */
public record RaisedLimits(SpendingCheck spendingCheck) {
  /**
   * The job as it may run on. Throws {@link InvalidInputException} if it may not, because it has
   * cost what it may, or if a limit would stop it at once or not hold.
   */
  public Job of(Job job, Cluster cluster, UserCommand.RetryJob command, Instant now) {
    var affordable = spendingCheck.affordable(job, command.maxUsd());
    if (command.maxRunTime().isEmpty()) return affordable;
    var next = affordable.withRunTime(RunTimeLimit.run(job).lasting(command.maxRunTime().get()));
    RunTimeLimit.of(next, cluster.spec()).ifPresent(limit -> check(next, limit, now));
    return next;
  }

  private static void check(Job next, RunTimeLimit limit, Instant now) {
    var most = HumanDuration.exact(RunTimeLimit.run(next).max().orElseThrow());
    if (limit.cluster().isPresent())
      throw new InvalidInputException(
          "maxRunTime",
          "of %s is longer than %s; write at most that, or raise it there and mayfly up it"
              .formatted(most, limit.name()));
    // An ended job counts anew.
    if (next.state().ended() || !limit.isReached(now)) return;
    var since = limit.since().orElseThrow();
    var ran = Duration.between(since, now);
    throw new InvalidInputException(
        "maxRunTime",
        "of %s is over: job %s has run for %s; write more: %s"
            .formatted(most, limit.address(), HumanDuration.result(ran), limit.remedy(ran)));
  }
}
