package dev.mayfly.agent.task;

import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.logs.LogEvidence;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.process.LaunchSteps;
import dev.mayfly.agent.process.ProcessExit;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.agent.process.kill.ProcessTreeKiller.KillResult;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.DiskProblem;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.files.StoragePolicy;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.sync.MachineProblem;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends attempts: reports an end only after the last process has ended. */
final class TaskTerminator {
  /** For a program that has failed its task, or takes no further one. */
  private static final Duration RUNNER_GRACE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(TaskTerminator.class);
  private static final int SIGKILL = 137;
  private static final ProcessExit KILLED = new ProcessExit.Signal(9);

  /** How long the report of an end waits for the upload of the last checkpoint. */
  private static final Duration LAST_CHECKPOINT = Duration.ofMinutes(10);

  /** The same where a machine is about to be gone. */
  private static final Duration LEAST_CHECKPOINT = Duration.ofSeconds(2);

  /** How long reporting a failure waits for the upload of the log. */
  private static final int LOG_SECONDS = 10;

  private final ProcessTreeKiller processTreeKiller;
  private final DiskHealth diskHealth;
  private final LogUploader logUploader;
  private final TaskCheckpoints taskCheckpoints;
  private final InstantSource clock;
  private final Consumer<AgentEvent> events;
  private final AttemptUses attemptUses;

  TaskTerminator(
      ProcessTreeKiller processTreeKiller,
      DiskHealth diskHealth,
      LogUploader logUploader,
      TaskCheckpoints taskCheckpoints,
      TaskExecutor.ExecutionContext executionContext) {
    this.processTreeKiller = processTreeKiller;
    this.diskHealth = diskHealth;
    this.logUploader = logUploader;
    this.taskCheckpoints = taskCheckpoints;
    this.clock = executionContext.clock();
    this.events = executionContext.events();
    this.attemptUses = new AttemptUses(executionContext.events());
  }

  /** The attempt's first process ended by itself. */
  void exited(AttemptState attemptState, ProcessExit processExit) {
    if (!attemptState.exited()) {
      return;
    }
    try {
      reportExit(attemptState, code(processExit));
    } catch (RuntimeException bug) {
      killAfter(
          bug,
          attemptState,
          why ->
              new AgentEvent.Exited(
                  attemptState.attempt(),
                  code(processExit),
                  FailureCause.INFRASTRUCTURE,
                  AttemptFailure.fit(why)));
    }
  }

  private void reportExit(AttemptState attemptState, int code) {
    var known = attemptState.bounds().flatMap(bounds -> cause(bounds, code));
    var crowd = code == 0 ? "" : attemptState.bounds().map(TaskTerminator::crowd).orElse("");
    // Check the disk before the attempt's files are deleted.
    diskHealth.exhausted().ifPresent(what -> events.accept(new AgentEvent.DiskUnusable(what)));
    var problem = code == 0 ? Optional.<DiskProblem>empty() : diskHealth.problem();
    if (attemptState.processes().first().filter(RunningProcess::goesOn).isPresent()
        || untilNothingIsLeft(attemptState, () -> killRest(attemptState.processes()))) {
      var lastOutput =
          code == 0 ? "" : attemptState.dir().map(it -> LogEvidence.of(it.log(), code)).orElse("");
      var evidence = attemptState.confidential().redact(crowd + lastOutput);
      if (code == 0) sayLeftOut(attemptState);
      TaskCheckpoints.look(attemptState);
      readMetrics(attemptState, true);
      var used = attemptUses.last(attemptState);
      var logged = end(attemptState);
      taskCheckpoints.finish(attemptState, LAST_CHECKPOINT);
      // Upload the log first, so that it can be read when the failure is reported.
      if (code != 0) logged.completeOnTimeout(null, LOG_SECONDS, TimeUnit.SECONDS).join();
      events.accept(
          exited(attemptState, code, known, problem, AttemptUses.withPeak(known, used, evidence)));
    }
  }

  /** A program that stays may live on after its task, and whatever it does then is nobody's. */
  private ProcessTreeKiller.KillResult killRest(ProcessTreeKiller.AttemptProcesses processes) {
    return processes.first().flatMap(RunningProcess::marker).isPresent()
        ? processTreeKiller.kill(processes, RUNNER_GRACE)
        : processTreeKiller.killLeftovers(processes);
  }

  /** Programs say "cannot allocate memory", or nothing, of a process that was refused. */
  private static String crowd(ResourceLimits.Bounds bounds) {
    var limit = bounds.reachedProcessLimit();
    if (limit.isEmpty()) return "";
    return "it had the most processes and threads that a task may have, %,d, and was refused more; "
        .formatted(limit.getAsLong());
  }

  /** Says in the log what the output will be stored without; what is refused fails its upload. */
  private static void sayLeftOut(AttemptState attemptState) {
    var dir = attemptState.dir();
    var output = attemptState.output().filter(AttemptOutput::isUploaded);
    if (dir.isEmpty() || output.isEmpty()) return;
    try {
      for (var one : OutputCollector.leftOut(dir.get(), output.get()))
        dir.get().say("left out of the output: " + one.sentence(StoragePolicy.OUTPUT));
    } catch (IOException | InvalidInputException e) {
      LOG.debug("output not looked at attempt={} reason={}", attemptState.id(), e.toString());
    }
  }

  /**
   * Reports what is new in the attempt's metrics.
   *
   * @param last whether its processes have ended
   */
  void readMetrics(AttemptState attemptState, boolean last) {
    try {
      var metrics = attemptState.metrics();
      if (metrics.isEmpty()) return;
      metrics
          .get()
          .news(clock.instant(), last)
          .ifPresent(
              values -> events.accept(new AgentEvent.MetricsRead(attemptState.attempt(), values)));
    } catch (IOException e) {
      LOG.debug("metrics not read attempt={} reason={}", attemptState.id(), e.toString());
    }
  }

  /** The cause of the end, as far as the bounds know it. */
  private static Optional<FailureCause> cause(ResourceLimits.Bounds bounds, int code) {
    if (code == SIGKILL && bounds.ranOutOfMemory()) return Optional.of(FailureCause.OUT_OF_MEMORY);
    return bounds.neverBegan(code) ? Optional.of(FailureCause.INFRASTRUCTURE) : Optional.empty();
  }

  /**
   * After a bug in ending one attempt, kills and reports that attempt only. Throws if that fails,
   * too: then the agent ends, and the next one kills everything first.
   */
  private void killAfter(
      RuntimeException bug, AttemptState attemptState, Function<String, AgentEvent> event) {
    LOG.error("a bug in Mayfly; the agent continues, attempt={}", attemptState.id(), bug);
    if (!untilNothingIsLeft(
        attemptState, () -> processTreeKiller.kill(attemptState.processes(), Duration.ZERO)))
      return;
    attemptState.ended();
    events.accept(event.apply("a bug in Mayfly (details in the agent's log): " + bug));
  }

  /** Commands rarely report ENOSPC clearly, so use the state of the disk. */
  private static AgentEvent exited(
      AttemptState attemptState,
      int code,
      Optional<FailureCause> known,
      Optional<DiskProblem> disk,
      String lastOutput) {
    if (known.isPresent())
      return new AgentEvent.Exited(attemptState.attempt(), code, known.get(), lastOutput);
    if (code == LaunchSteps.REFUSED && lastOutput.contains(LaunchSteps.SAID))
      return new AgentEvent.Exited(
          attemptState.attempt(), code, FailureCause.INFRASTRUCTURE, lastOutput);
    if (disk.isEmpty())
      return new AgentEvent.Exited(attemptState.attempt(), code, FailureCause.USER, lastOutput);
    var evidence =
        "%s when it ended; %s. Its last words: %s"
            .formatted(disk.get().what(), disk.get().remedy(), lastOutput);
    return new AgentEvent.Exited(
        attemptState.attempt(), code, FailureCause.INFRASTRUCTURE, AttemptFailure.fit(evidence));
  }

  /** Kills the attempt now. */
  void kill(AttemptState attemptState, AgentEffect.Kill kill) {
    try {
      killAndReport(attemptState, kill);
    } catch (RuntimeException bug) {
      killAfter(
          bug,
          attemptState,
          _ -> new AgentEvent.Killed(attemptState.attempt(), ended(attemptState)));
    }
  }

  private void killAndReport(AttemptState attemptState, AgentEffect.Kill kill) {
    if (!kill.grace().isZero()) giveNotice(attemptState, kill);
    var first = processTreeKiller.kill(attemptState.processes(), kill.grace());
    if (first.confirmed()
        || untilNothingIsLeft(
            attemptState, () -> processTreeKiller.kill(attemptState.processes(), Duration.ZERO)))
      storeAndReport(attemptState);
  }

  /**
   * The end of a grace may be ordered while the first kill still stores what was left: the report
   * waits for that, because the attempt's folder is deleted after it.
   */
  private void storeAndReport(AttemptState attemptState) {
    attemptState.ending.lock();
    try {
      attemptState
          .storing()
          .filter(_ -> attemptState.live())
          .ifPresent(left ->
              taskCheckpoints.finish(
                  attemptState, left.compareTo(LEAST_CHECKPOINT) < 0 ? LEAST_CHECKPOINT : left));
      readMetrics(attemptState, true);
      var _ = attemptUses.last(attemptState);
      var unused = end(attemptState);
    } finally {
      attemptState.ending.unlock();
    }
    events.accept(new AgentEvent.Killed(attemptState.attempt(), ended(attemptState)));
  }

  private static void giveNotice(AttemptState attemptState, AgentEffect.Kill kill) {
    if (attemptState.dir().isEmpty()) return;
    var dir = attemptState.dir().get();
    try {
      if (!kill.logText().isEmpty())
        dir.say(
            "the task is asked to end (%s) and killed in %d s: %s"
                .formatted(
                    kill.stopReason().word(),
                    kill.grace().plusMillis(500).toSeconds(),
                    kill.logText()));
      dir.giveNotice(kill.grace(), kill.stopReason().word());
    } catch (IOException e) {
      // The signal has the same meaning.
      LOG.warn("no notice file attempt={} reason={}", attemptState.id(), e.toString());
    }
  }

  /** False only if this thread is interrupted. */
  private boolean untilNothingIsLeft(AttemptState attemptState, Supplier<KillResult> kill) {
    attemptState.bounds().ifPresent(ResourceLimits.Bounds::kill);
    boolean reported = false;
    for (var killResult = kill.get(); !killResult.confirmed(); killResult = kill.get()) {
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (!reported) {
        LOG.error("kill not confirmed attempt={} left={}", attemptState.id(), killResult.left());
        var problem =
            MachineProblem.Kind.DEGRADED.of(
                "processes of " + attemptState.id() + " cannot be killed: " + killResult.left());
        events.accept(new AgentEvent.DeviceProblem(Optional.of(problem)));
        reported = true;
      }
    }
    if (reported) {
      events.accept(new AgentEvent.DeviceProblem(Optional.empty()));
    }
    return true;
  }

  /** Completes when the log is in the store. */
  private CompletableFuture<Void> end(AttemptState attemptState) {
    attemptState.submitter().ifPresent(SubmitterTokenFile::delete);
    attemptState.bounds().ifPresent(ResourceLimits.Bounds::close);
    attemptState.ended();
    return logUploader.finish(attemptState.id());
  }

  /** The first process's exit code; it may have ended by itself within the grace period. */
  private static int ended(AttemptState attemptState) {
    return attemptState
        .processes()
        .first()
        .map(first -> first.exit().copy().completeOnTimeout(KILLED, 1, TimeUnit.SECONDS).join())
        .map(TaskTerminator::code)
        .orElse(SIGKILL);
  }

  static int code(ProcessExit processExit) {
    return switch (processExit) {
      case ProcessExit.Code(int code) -> code;
      case ProcessExit.Signal(int number) -> 128 + number;
    };
  }
}
