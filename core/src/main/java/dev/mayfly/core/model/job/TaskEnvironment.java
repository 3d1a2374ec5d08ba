package dev.mayfly.core.model.job;

import dev.mayfly.core.model.cluster.SetupSpec;
import java.util.Optional;

/**
 * What a task finds on its machine beside its code and input.
 *
 * @param setup made before the first task; the cluster's if empty
 * @param checkpoint the template of the URL whose content {@code $MAYFLY_CHECKPOINT} is kept in
 *     step with; ends with a slash
 * @param gangMode what the hosts of a gang are prepared for; all that Mayfly knows if empty
 * @param logLimit bytes kept of each attempt's log; the agent's default if empty
 * @param codeFrom where the job's code was packed from, a {@link dev.mayfly.core.text.GitReference}
 *     at its commit, as far as that is known
 */
public record TaskEnvironment(
    Optional<SetupSpec> setup,
    Optional<String> checkpoint,
    Optional<GangMode> gangMode,
    Optional<Long> logLimit,
    Optional<String> codeFrom) {
  public static final TaskEnvironment NONE =
      new TaskEnvironment(Optional.empty(), Optional.empty(), Optional.empty());

  public TaskEnvironment(
      Optional<SetupSpec> setup, Optional<String> checkpoint, Optional<GangMode> gangMode) {
    this(setup, checkpoint, gangMode, Optional.empty());
  }

  public TaskEnvironment(
      Optional<SetupSpec> setup,
      Optional<String> checkpoint,
      Optional<GangMode> gangMode,
      Optional<Long> logLimit) {
    this(setup, checkpoint, gangMode, logLimit, Optional.empty());
  }

  /** What the variables and processes of a gang are for. */
  public enum GangMode {
    /** A bare {@code jax.distributed.initialize()}. */
    JAX,
    /** The default rendezvous of {@code torch.distributed}. */
    TORCH,
    /** A Ray cluster of the gang's hosts, with the command on rank 0. */
    RAY,
    /** Keys for this run alone, so that rank 0 reaches the others by ssh; the command on rank 0. */
    SSH
  }

  public TaskEnvironment withCheckpoint(Optional<String> other) {
    return new TaskEnvironment(setup, other, gangMode, logLimit, codeFrom);
  }

  TaskEnvironment withDefaultSetup(Optional<SetupSpec> usual) {
    return new TaskEnvironment(setup.or(() -> usual), checkpoint, gangMode, logLimit, codeFrom);
  }
}
