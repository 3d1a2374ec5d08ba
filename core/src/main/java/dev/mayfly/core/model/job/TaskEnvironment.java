package dev.mayfly.core.model.job;

import dev.mayfly.core.model.cluster.SetupSpec;
import java.time.Duration;
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
 * @param keepFailed for how long the machine of an attempt that failed its task for good is kept,
 *     with the attempt's folder; not at all if empty
 * @param runner what is told of a command that is started once and given task after task; each task
 *     has a process of its own if empty, as in jobs of before
 */
public record TaskEnvironment(
    Optional<SetupSpec> setup,
    Optional<String> checkpoint,
    Optional<GangMode> gangMode,
    Optional<Long> logLimit,
    Optional<String> codeFrom,
    Optional<Duration> keepFailed,
    Optional<Runner> runner) {
  /** Shorter is over before a person looks. */
  public static final Duration SHORTEST_KEEP = Duration.ofMinutes(1);

  /** Longer is a machine of one's own. */
  public static final Duration LONGEST_KEEP = Duration.ofHours(24);

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
    this(
        setup,
        checkpoint,
        gangMode,
        logLimit,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * A program that is given task after task. It is started again after a failure of its own in any
   * case.
   *
   * @param restartAfter so many tasks; not for their number if empty
   * @param restartAbove so many bytes of memory that its processes hold after a task; not for their
   *     memory if empty
   */
  public record Runner(Optional<Integer> restartAfter, Optional<Long> restartAbove) {}

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
    return new TaskEnvironment(setup, other, gangMode, logLimit, codeFrom, keepFailed, runner);
  }

  TaskEnvironment withDefaultSetup(Optional<SetupSpec> usual) {
    return new TaskEnvironment(
        setup.or(() -> usual), checkpoint, gangMode, logLimit, codeFrom, keepFailed, runner);
  }

  public TaskEnvironment with(Runner program) {
    return new TaskEnvironment(
        setup, checkpoint, gangMode, logLimit, codeFrom, keepFailed, Optional.of(program));
  }

  public TaskEnvironment keepingFailed(Duration time) {
    return new TaskEnvironment(
        setup, checkpoint, gangMode, logLimit, codeFrom, Optional.of(time), runner);
  }
}
