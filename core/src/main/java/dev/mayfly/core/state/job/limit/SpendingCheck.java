package dev.mayfly.core.state.job.limit;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.plan.spending.JobSpending;
import dev.mayfly.core.state.Context;
import java.util.Optional;

/** Whether a job may run again, or for more money, by what its tasks have cost. */
public final class SpendingCheck {
  private final SpendingReader spendingReader;

  public SpendingCheck(Context context) {
    spendingReader = new SpendingReader(context);
  }

  /**
   * The job as it may run on. Throws {@link InvalidInputException} if it may not, because it has
   * cost what it may.
   */
  public Job affordable(Job job, Optional<Double> maxUsd) {
    if (job.maxUsd().isEmpty() && maxUsd.isPresent())
      throw new InvalidInputException(
          "maxUsd",
          "is for jobs that were submitted with one, and job %s was not; leave it out, or submit the job again"
              .formatted(job.spec().address()));
    if (job.maxUsd().isEmpty()) return job;
    var next = maxUsd.map(job::withMaxUsd).orElse(job);
    spendingReader
        .exactly(next)
        .map(spent -> spent.within(next.maxUsd().orElseThrow()))
        .filter(JobSpending::isUsedUp)
        .ifPresent(spent -> {
          throw new InvalidInputException("maxUsd", spent.whyNotRetried());
        });
    return next;
  }
}
