package dev.mayfly.cli.document;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.text.TaskTemplate;
import java.util.Optional;

/** Tasks that run again begin where an earlier job's ended, if both keep checkpoints in a place. */
final class KeptCheckpoints {
  private KeptCheckpoints() {}

  /** What the submitter of a job that runs tasks again may not expect. */
  static Optional<InputError> of(JobSpec job) {
    var rule = job.data().doneRule();
    if (!rule.job() && rule.again().isEmpty()) return Optional.empty();
    return job.run()
        .taskEnvironment()
        .checkpoint()
        .filter(place -> !TaskTemplate.placeholders(place).contains("job"))
        .map(place ->
            new InputError(
                "checkpoint",
                "checkpoints stay when tasks run again: each continues from what an earlier job left at "
                    + place
                    + ", whatever its code; to begin anew, delete the objects there, or put {job} into"
                    + " the place"));
  }
}
