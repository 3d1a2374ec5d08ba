package dev.mayfly.agent.task;

import dev.mayfly.agent.logs.LogEvidence;
import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.LaunchSteps;
import dev.mayfly.agent.process.OomScore;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.agent.setup.SetupFailedException;
import dev.mayfly.agent.setup.SetupFault;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.text.HumanDuration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program that prepares an attempt: as the attempt's user, in its image, within its limits,
 * and killed with it. When a call returns or throws, no process of the program is left.
 */
final class PreparationProcess {
  private static final Logger LOG = LoggerFactory.getLogger(PreparationProcess.class);
  private static final int LAST_LINES = 4_096;
  private static final int SIGKILL = 137;

  private final TaskContext taskContext;
  private final AttemptCommands attemptCommands;
  private final ProcessTreeKiller processTreeKiller;

  PreparationProcess(
      TaskContext taskContext,
      AttemptCommands attemptCommands,
      ProcessTreeKiller processTreeKiller) {
    this.taskContext = taskContext;
    this.attemptCommands = attemptCommands;
    this.processTreeKiller = processTreeKiller;
  }

  /** A program and its variables. */
  record Program(List<String> argv, Map<String, String> own, Duration timeout) {}

  /**
   * Throws unless the program ends with 0.
   *
   * @param container to run it in; empty to run it on the machine
   */
  void run(Program program, Optional<TaskContainer> container, LogFile log, SetupRunner.Use use)
      throws SetupFailedException, InterruptedException {
    var command =
        attemptCommands.command(
            program.argv(),
            program.own(),
            use.start(),
            use.dir(),
            log.path(),
            Optional.empty(),
            container);
    var bounds = bounds(use, container);
    var user =
        container.isPresent() ? Optional.<TaskUser>empty() : attemptCommands.user(use.start());
    var steps = new LaunchSteps(bounds.entrance(), OomScore.spared(), user);
    switch (taskContext.tools().launcher().launch(command.withSteps(steps))) {
      case LaunchResult.NotStarted(int code, String reason) -> {
        bounds.close();
        throw new SetupFailedException(FailureCause.USER, reason);
      }
      case LaunchResult.NoRoom(String reason) -> {
        bounds.close();
        throw new SetupFailedException(FailureCause.INFRASTRUCTURE, reason);
      }
      case LaunchResult.Started(RunningProcess process) -> {
        use.attemptState().setPreparing(Optional.of(process), container.isPresent());
        try {
          check(await(process, program.timeout(), log, use), bounds, log, use);
        } finally {
          end(process, bounds, use, container.isPresent());
        }
      }
    }
  }

  private ResourceLimits.Bounds bounds(SetupRunner.Use use, Optional<TaskContainer> container) {
    if (container.isPresent()) return container.get().bounds(ResourceLimits.counting());
    var needs = use.start().jobInfo().spec().resources();
    return taskContext
        .tools()
        .limits()
        .bounds(use.attemptState().id() + ".setup", needs.cpuMillis(), needs.memoryBytes());
  }

  private static int await(
      RunningProcess process, Duration timeout, LogFile log, SetupRunner.Use use)
      throws SetupFailedException, InterruptedException {
    try {
      return TaskTerminator.code(process.exit().get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw new SetupFailedException(
          FailureCause.TIMEOUT,
          "still running after its timeout of "
              + HumanDuration.format(timeout)
              + "; "
              + words(log, use),
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the wait for a process failed", e);
    }
  }

  private void check(int code, ResourceLimits.Bounds bounds, LogFile log, SetupRunner.Use use)
      throws SetupFailedException {
    if (code == 0) return;
    var evidence = "exit code " + code + ": " + words(log, use);
    if (code == SIGKILL && bounds.ranOutOfMemory())
      throw new SetupFailedException(FailureCause.OUT_OF_MEMORY, evidence);
    var disk = taskContext.disk().problem();
    if (disk.isPresent())
      throw new SetupFailedException(
          FailureCause.INFRASTRUCTURE, disk.get().what() + " when it ended; " + evidence);
    if (bounds.neverBegan(code))
      throw new SetupFailedException(FailureCause.INFRASTRUCTURE, evidence);
    throw new SetupFailedException(SetupFault.of(lastLines(log)), evidence);
  }

  private static String words(LogFile log, SetupRunner.Use use) {
    return use.attemptState().confidential().redact(LogEvidence.of(log));
  }

  private static String lastLines(LogFile log) {
    try {
      var size = log.size();
      return new String(log.read(Math.max(0, size - LAST_LINES), size), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** An end that is not confirmed is waited for, whether or not the attempt is being killed. */
  private void end(
      RunningProcess process,
      ResourceLimits.Bounds bounds,
      SetupRunner.Use use,
      boolean contained) {
    bounds.kill();
    var id = use.attemptState().id();
    var processes = new ProcessTreeKiller.AttemptProcesses(id, Optional.of(process), contained);
    var interrupted = Thread.interrupted();
    while (!processTreeKiller.kill(processes, Duration.ZERO).confirmed()) {
      LOG.error("processes that prepared an attempt cannot be killed attempt={}", id);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) Thread.currentThread().interrupt();
    bounds.close();
    use.attemptState().setPreparing(Optional.empty(), contained);
  }
}
