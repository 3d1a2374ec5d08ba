package dev.mayfly.cli.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.text.TaskTemplate;
import java.util.Optional;

/** Tasks that run again begin where an earlier job's ended, if both keep checkpoints in a place. */
public final class KeptCheckpoints {
  private KeptCheckpoints() {}

  /** What the submitter of a job that runs again what an earlier job did may not expect. */
  public static Optional<InputError> of(JobSpec job) {
    return job.data().doneRule().equals(DoneRule.ANY) ? Optional.empty() : warning(job);
  }

  /**
   * As above, of a job whose name an earlier one had: without a place of their own, outputs are
   * named by their jobs, and all tasks run again.
   */
  public static Optional<InputError> ofRepeat(JobSpec job) {
    return job.data().output().isPresent() ? Optional.empty() : warning(job);
  }

  private static Optional<InputError> warning(JobSpec job) {
    return job.run()
        .taskEnvironment()
        .checkpoint()
        .filter(place -> !TaskTemplate.placeholders(place).contains("job"))
        .map(place ->
            new InputError(
                "checkpoint",
                "checkpoints stay when tasks run again: each continues from what an earlier job left at "
                    + place
                    + ", whatever its code, and one that had finished ends at once; to begin anew,"
                    + " delete the objects there, or put {job} into the place"));
  }
}
