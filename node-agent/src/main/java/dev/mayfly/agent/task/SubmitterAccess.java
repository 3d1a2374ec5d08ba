package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.wire.SubmitterCredentials;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * How a task of this machine is let submit jobs.
 *
 * @param project of the deployment; called when the first such task starts
 * @param places variables with the URLs that such a task calls
 * @param tokens makes new tokens; may throw {@link dev.mayfly.core.error.UnavailableException},
 *     also for a right that the machine lacks
 */
public record SubmitterAccess(
    Supplier<String> project,
    Map<String, String> places,
    Supplier<SubmitterCredentials> tokens,
    InstantSource clock) {
  public SubmitterAccess {
    places = Map.copyOf(places);
  }

  /** What the client and the command line read: where, as whom, and for whom. */
  Map<String, String> variables(JobSpec spec, AttemptDir dir) {
    var variables = new HashMap<>(places);
    variables.put("MAYFLY_PROJECT", project.get());
    variables.put("MAYFLY_CLUSTER", spec.cluster());
    spec.owner().ifPresent(owner -> variables.put("MAYFLY_OWNER", owner));
    variables.put("MAYFLY_TOKEN_FILE", dir.token().toString());
    return variables;
  }
}
