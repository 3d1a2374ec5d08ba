package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.files.LastingFolders;
import dev.mayfly.agent.files.ZipLimits;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.metrics.MachineProcesses;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.kill.ProcessTreeKiller;
import dev.mayfly.agent.runner.RunnerPool;
import dev.mayfly.agent.setup.SetupStore;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.output.ProducedOutput;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.Secrets;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts on this machine. All methods return at once; the result of a start is exactly one
 * event.
 */
public final class TaskExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(TaskExecutor.class);

  private final Map<TaskAttempt, AttemptState> attemptStates = new ConcurrentHashMap<>();
  private volatile boolean begun;
  private final ProcessTreeKiller processTreeKiller;
  private final TaskStarter taskStarter;
  private final AttemptUses attemptUses;
  private final TaskTerminator taskTerminator;
  private final LastingFolders lastingFolders;
  private final RunnerPool runnerPool;
  private final TaskCheckpoints taskCheckpoints;
  private final LogUploader logUploader;
  private final Executor threads;
  private final Consumer<AgentEvent> events;

  /**
   * @param environment the base of every task's environment
   * @param secrets read at the start of each attempt that needs some
   * @param killPatience how long a kill is repeated before it is reported as unconfirmed
   */
  public TaskExecutor(
      TaskContext taskContext,
      Map<String, String> environment,
      Duration killPatience,
      ObjectStore objectStore,
      Secrets secrets,
      LogUploader logUploader,
      ExecutionContext executionContext) {
    var root = taskContext.workDir().root();
    this.processTreeKiller =
        new ProcessTreeKiller(root, () -> taskContext.tools().orphans(), this::live, killPatience);
    this.taskCheckpoints = new TaskCheckpoints(objectStore, executionContext);
    this.taskTerminator =
        new TaskTerminator(
            processTreeKiller, taskContext.disk(), logUploader, taskCheckpoints, executionContext);
    var code = new CodeStore(taskContext.workDir(), ZipLimits.DEFAULT);
    var inputStaging = new InputStaging(objectStore, code);
    this.lastingFolders = new LastingFolders(taskContext.workDir(), taskContext.disk());
    var attemptCommands = new AttemptCommands(taskContext, environment, secrets, lastingFolders);
    var preparationProcess =
        new PreparationProcess(taskContext, attemptCommands, processTreeKiller);
    var setupRunner =
        new SetupRunner(
            taskContext,
            attemptCommands,
            preparationProcess,
            new SetupStore(lastingFolders),
            new SetupArchive(objectStore, preparationProcess, attemptCommands),
            logUploader);
    this.runnerPool = new RunnerPool(processTreeKiller, lastingFolders, executionContext.threads());
    var runnerStarter =
        new RunnerStarter(
            taskContext, attemptCommands, inputStaging, setupRunner, lastingFolders, runnerPool);
    this.taskStarter =
        new TaskStarter(
            taskContext,
            inputStaging,
            attemptCommands,
            setupRunner,
            new CommandStarter(
                taskContext, attemptCommands, setupRunner, runnerStarter, runnerPool),
            taskCheckpoints,
            taskTerminator,
            logUploader,
            executionContext);
    this.attemptUses = new AttemptUses(executionContext.events());
    this.logUploader = logUploader;
    this.threads = executionContext.threads();
    this.events = executionContext.events();
  }

  /**
   * Shared threads, time and events.
   *
   * @param threads one for each piece of work
   * @param clock by which metrics are dated
   * @param events receives the results
   */
  public record ExecutionContext(
      Executor threads, InstantSource clock, Consumer<AgentEvent> events) {}

  private void beforeFirst() {
    if (begun) return;
    processTreeKiller.spareAdopted();
    begun = true;
  }

  private Collection<ProcessTreeKiller.AttemptProcesses> live() {
    var attempts =
        attemptStates.values().stream().filter(AttemptState::live).map(AttemptState::processes);
    return Stream.concat(attempts, runnerPool.processes().stream()).toList();
  }

  /** Kills leftover processes of ended attempts, and makes room on a full disk. */
  public void sweep() {
    // Until a task starts here, what the agent adopts is of the machine's preparation.
    var left = begun ? processTreeKiller.sweep().left() : List.<Integer>of();
    if (!left.isEmpty()) {
      LOG.error("processes cannot be killed left={}", left);
    }
    try {
      lastingFolders.trim();
    } catch (IOException e) {
      LOG.warn("no room made on the disk reason={}", e.toString());
    }
  }

  /**
   * Reports metrics of running tasks and what they use, stores their checkpoints and renews their
   * tokens. Call it every second.
   */
  public void observe() {
    endIdleRunners(System.nanoTime());
    var processes = new MachineProcesses(Path.of("/proc"));
    for (var attemptState : attemptStates.values()) {
      if (!attemptState.isRunning()) continue;
      taskTerminator.readMetrics(attemptState, false);
      attemptUses.look(attemptState, processes);
      if (attemptState.takeSearch()) threads.execute(() -> search(attemptState));
      taskCheckpoints.tick(attemptState);
      attemptState
          .submitter()
          .filter(SubmitterTokenFile::takeDue)
          .ifPresent(file -> threads.execute(file::renew));
    }
  }

  /** Ends the programs that have waited for a task for long. */
  void endIdleRunners(long now) {
    var unused = runnerPool.expire(now);
  }

  /** The engine may need seconds for its answer. */
  private static void search(AttemptState attemptState) {
    attemptState
        .bounds()
        .map(ResourceLimits.Bounds::firstProcess)
        .orElse(OptionalLong.empty())
        .ifPresent(attemptState::setMeasured);
  }

  /** Prepares everything for a start; repeated calls are ignored. */
  public void prepare(AgentEffect.Prepare prepare) {
    beforeFirst();
    var attemptState = new AttemptState(prepare.attempt());
    if (attemptStates.putIfAbsent(prepare.attempt(), attemptState) == null) {
      threads.execute(() -> taskStarter.prepare(attemptState, prepare));
    }
  }

  /** Starts an attempt, prepared or not; repeated calls are ignored. */
  public void start(AgentEffect.Start start) {
    beforeFirst();
    var prepared = attemptStates.get(start.attempt());
    if (prepared != null) {
      if (prepared.begin()) threads.execute(() -> taskStarter.start(prepared, start));
      return;
    }
    var attemptState = new AttemptState(start.attempt());
    if (attemptStates.putIfAbsent(start.attempt(), attemptState) == null) {
      threads.execute(() -> taskStarter.start(attemptState, start));
    }
  }

  /** Kills an attempt; an unknown attempt is reported as killed at once. */
  public void kill(AgentEffect.Kill kill) {
    if (kill.stopReason() == StopReason.STOPPED) {
      var unused = runnerPool.stop(kill.attempt().lease().job());
    }
    var attemptState = attemptStates.get(kill.attempt());
    if (attemptState == null) {
      events.accept(new AgentEvent.Killed(kill.attempt()));
      return;
    }
    switch (attemptState.kill(kill)) {
      case DROP -> {
        attemptState.ended();
        events.accept(new AgentEvent.Killed(kill.attempt()));
      }
      case GONE -> events.accept(new AgentEvent.Killed(kill.attempt()));
      case KILL -> threads.execute(() -> taskTerminator.kill(attemptState, kill));
      case LEAVE -> LOG.debug("kill is completed elsewhere attempt={}", kill.attempt());
    }
  }

  /** Ends the programs that wait for a task; call it when no attempt is left. */
  public CompletableFuture<Void> endRunners() {
    return runnerPool.stopAll();
  }

  /** What the attempt left for the upload; nothing if its job has no output uploaded. */
  public ProducedOutput producedOutput(TaskAttempt taskAttempt) throws IOException {
    var attemptState = attemptStates.get(taskAttempt);
    if (attemptState == null || attemptState.dir().isEmpty()) return new ProducedOutput.Nothing();
    var output = attemptState.output().filter(AttemptOutput::isUploaded);
    if (output.isEmpty()) return new ProducedOutput.Nothing();
    return OutputCollector.at(attemptState.dir().get(), output.get());
  }

  /** Completes when an ended attempt's log is in the store or was given up. */
  public CompletableFuture<Void> logUploaded(TaskAttempt taskAttempt) {
    var attemptState = attemptStates.get(taskAttempt);
    return attemptState == null
        ? CompletableFuture.completedFuture(null)
        : logUploader.finish(attemptState.id());
  }

  /** Deletes an attempt's folder after its log is in the store; completes when it is deleted. */
  public CompletableFuture<Void> deleteWorkDir(TaskAttempt taskAttempt) {
    var attemptState = attemptStates.remove(taskAttempt);
    lastingFolders.leave(taskAttempt.toString());
    return attemptState == null
        ? CompletableFuture.completedFuture(null)
        : logUploader
            .finish(attemptState.id())
            .thenRunAsync(() -> attemptState.dir().ifPresent(TaskExecutor::delete), threads);
  }

  static void delete(AttemptDir dir) {
    try {
      dir.close();
    } catch (IOException e) {
      LOG.warn("folder not deleted folder={} reason={}", dir.folder(), e.toString());
    }
  }
}
