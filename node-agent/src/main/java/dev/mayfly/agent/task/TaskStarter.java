package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.gang.GangPort;
import dev.mayfly.agent.gang.SshGang;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.setup.SetupFailedException;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.DiskProblem;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import dev.mayfly.core.port.BucketLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts attempts: from the order to the first process. */
final class TaskStarter {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStarter.class);

  private final TaskContext taskContext;
  private final InputStaging inputStaging;
  private final AttemptCommands attemptCommands;
  private final SetupRunner setupRunner;
  private final CommandStarter commandStarter;
  private final TaskCheckpoints taskCheckpoints;
  private final TaskTerminator taskTerminator;
  private final LogUploader logUploader;
  private final Executor threads;
  private final Consumer<AgentEvent> events;

  /** How many preparations in a row found a device held by another process. */
  private final AtomicInteger busy = new AtomicInteger();

  TaskStarter(
      TaskContext taskContext,
      InputStaging inputStaging,
      AttemptCommands attemptCommands,
      SetupRunner setupRunner,
      CommandStarter commandStarter,
      TaskCheckpoints taskCheckpoints,
      TaskTerminator taskTerminator,
      LogUploader logUploader,
      TaskExecutor.ExecutionContext executionContext) {
    this.taskContext = taskContext;
    this.inputStaging = inputStaging;
    this.attemptCommands = attemptCommands;
    this.setupRunner = setupRunner;
    this.commandStarter = commandStarter;
    this.taskCheckpoints = taskCheckpoints;
    this.taskTerminator = taskTerminator;
    this.logUploader = logUploader;
    this.threads = executionContext.threads();
    this.events = executionContext.events();
  }

  /** Prepares the start of a gang's task without starting anything. */
  void prepare(AttemptState attemptState, AgentEffect.Prepare prepare) {
    var rank = Map.of("MAYFLY_RANK", Integer.toString(prepare.rank()));
    var start =
        new AgentEffect.Start(
            prepare.attempt(), prepare.jobInfo(), prepare.item(), prepare.gpus(), rank);
    attempt(
        attemptState,
        () -> {
          var paths = stage(attemptState, start);
          // Before any process of the attempt could put something else in its place.
          var publicKey = SshGang.makeKey(start, attemptState.dir().orElseThrow());
          var use = equipped(attemptState, start, paths, TaskContainer.TOGETHER);
          var unused = setupRunner.ready(use);
          commandStarter.makeRoom();
          var heldDevice = heldDevice(start);
          if (heldDevice.isPresent())
            failed(
                attemptState,
                StartFailure::preparation,
                new StartFailure(FailureCause.INFRASTRUCTURE, stillBusy(), heldDevice.get()));
          else if (attemptState.prepared(paths))
            events.accept(
                new AgentEvent.Prepared(
                    attemptState.attempt(),
                    new GangContact(publicKey, port(attemptState, prepare))));
          else startFailed(attemptState, FailureCause.RETURNED, false, "");
        },
        StartFailure::preparation);
  }

  /** Keeps a port that is free now until the attempt starts or ends. */
  private static Optional<Integer> port(AttemptState attemptState, AgentEffect.Prepare prepare) {
    var mode = prepare.jobInfo().spec().run().taskEnvironment().gangMode();
    var ssh = mode.equals(Optional.of(GangMode.SSH));
    var kept =
        prepare.port().flatMap(search -> GangPort.free(search.address(), search.first(), ssh));
    kept.ifPresent(attemptState::keep);
    return kept.map(GangPort::number);
  }

  private Optional<String> heldDevice(AgentEffect.Start start) {
    if (start.jobInfo().spec().resources().tpuChips() == 0) return Optional.empty();
    var heldDevice = taskContext.tools().devices().firstHolder();
    if (heldDevice.isEmpty()) busy.set(0);
    return heldDevice;
  }

  /** Whether the device was held at the last preparation, too, so that waiting does not help. */
  private boolean stillBusy() {
    return busy.incrementAndGet() > 1;
  }

  void start(AttemptState attemptState, AgentEffect.Start start) {
    attempt(attemptState, () -> launch(attemptState, start), StartFailure::start);
  }

  private interface Step {
    void go() throws IOException, CodeStore.InvalidCode, SetupFailedException;
  }

  /** The event for a reason. */
  private interface Failure {
    AgentEvent of(StartFailure why, TaskAttempt taskAttempt);
  }

  private void attempt(AttemptState attemptState, Step step, Failure failure) {
    try {
      if (attemptState.preparing()) {
        lookAtDisk();
        step.go();
      } else {
        failed(attemptState, failure, new StartFailure(FailureCause.RETURNED, false, ""));
      }
    } catch (CodeStore.InvalidCode | SetupFailedException | IOException | RuntimeException e) {
      if (DiskHealth.isFull(e))
        events.accept(
            new AgentEvent.DiskUnusable(new DiskProblem.Full(String.valueOf(e.getMessage()))));
      var why = StartFailure.of(e);
      if (why.cause() != FailureCause.USER) log(attemptState, e);
      failed(attemptState, failure, why);
    }
  }

  private static void log(AttemptState attemptState, Exception e) {
    if (e instanceof RuntimeException && !(e instanceof MayflyException))
      LOG.error("attempt not started, by a bug attempt={}", attemptState.id(), e);
    else LOG.warn("attempt not started attempt={} reason={}", attemptState.id(), e.toString());
  }

  /** Otherwise an attempt whose first second alone is on a full disk would not be known as one. */
  private void lookAtDisk() {
    taskContext
        .disk()
        .exhausted()
        .ifPresent(what -> events.accept(new AgentEvent.DiskUnusable(what)));
  }

  private void launch(AttemptState attemptState, AgentEffect.Start start)
      throws IOException, CodeStore.InvalidCode, SetupFailedException {
    var before = attemptState.paths();
    var paths = before.isPresent() ? before.get() : stage(attemptState, start);
    TaskCheckpoints.begin(attemptState, start);
    var prepared = before.isPresent() ? TaskContainer.PREPARED : TaskContainer.ALONE;
    var use = equipped(attemptState, start, paths, prepared);
    var dir = use.dir();
    switch (commandStarter.launch(use)) {
      case LaunchResult.NotStarted(int code, String reason) -> {
        attemptState.bounds().ifPresent(ResourceLimits.Bounds::close);
        startFailed(attemptState, FailureCause.USER, false, reason);
      }
      case LaunchResult.NoRoom(String reason) -> {
        attemptState.bounds().ifPresent(ResourceLimits.Bounds::close);
        startFailed(attemptState, FailureCause.INFRASTRUCTURE, true, reason);
      }
      case LaunchResult.Started(RunningProcess runningProcess) -> {
        // A runner has recorded its process in a folder of its own.
        if (runningProcess.marker().isEmpty()) dir.recordFirstProcess(runningProcess.pid());
        follow(attemptState, start, dir, runningProcess);
      }
    }
  }

  /** Everything that an attempt's processes share: folders, container and variables. */
  private SetupRunner.Use equipped(
      AttemptState attemptState, AgentEffect.Start start, InputStaging.Paths paths, Duration limit)
      throws IOException {
    var dir = attemptState.dir().orElseThrow();
    var taskContainer = container(attemptState, start, limit);
    var user = attemptCommands.user(start);
    // Before building a command: a container runs as the owner of the subfolders.
    if (user.isPresent()) dir.giveTo(user.get());
    attemptCommands.writeTokens(attemptState, start, dir);
    var taskCommand = attemptCommands.task(attemptState, start, dir, paths);
    var cache = Path.of(taskCommand.env().getOrDefault("MAYFLY_CACHE", ""));
    var seen = List.of(new ContainerEngine.SharedFolder(cache, false));
    return new SetupRunner.Use(
        attemptState, start, dir, taskCommand, taskContainer.map(c -> c.with(seen)));
  }

  /** Downloads code and input: with the image, everything that a start needs. */
  private InputStaging.Paths stage(AttemptState attemptState, AgentEffect.Start start)
      throws IOException, CodeStore.InvalidCode {
    var dir = taskContext.workDir().attempt();
    attemptState.setDir(dir);
    if (start.jobInfo().spec().run().taskEnvironment().keepFailed().isPresent())
      events.accept(new AgentEvent.FolderMade(start.attempt(), dir.folder().toString()));
    inputStaging
        .generation(start)
        .ifPresent(
            generation -> events.accept(new AgentEvent.InputFound(start.attempt(), generation)));
    var paths = inputStaging.fetch(start, dir);
    attemptState.setOutput(AttemptOutput.of(start, paths.output()));
    inputStaging
        .outputBefore(start)
        .ifPresent(
            generation -> events.accept(new AgentEvent.OutputFound(start.attempt(), generation)));
    taskCheckpoints.restore(attemptState, start, dir);
    return paths;
  }

  /** Pulls the image even after preparation, because it may have been deleted or replaced. */
  private Optional<TaskContainer> container(
      AttemptState attemptState, AgentEffect.Start start, Duration limit) throws IOException {
    var root = taskContext.workDir().root().toString();
    var taskContainer =
        TaskContainer.of(
            taskContext.tools().containers(),
            root,
            attemptState,
            start,
            taskContext.users().isolated(),
            taskContext.gpus().mps());
    if (taskContainer.isEmpty()) return taskContainer;
    var taskAttempt = attemptState.attempt();
    return Optional.of(
        taskContainer
            .get()
            .withPulledImage(
                taskAttempt.lease().job(),
                limit,
                exact -> events.accept(new AgentEvent.ImagePulled(taskAttempt, exact))));
  }

  /** The name of an attempt's log on this host. */
  static String logName(AgentEffect.Start start) {
    var rank = start.peers().getOrDefault("MAYFLY_RANK", "0");
    var name = start.attempt().name();
    return rank.equals("0") ? name : name + "-rank" + rank;
  }

  private void follow(
      AttemptState attemptState,
      AgentEffect.Start start,
      AttemptDir dir,
      RunningProcess runningProcess) {
    var jobInfo = start.jobInfo();
    var bucketLayout = BucketLayout.of(jobInfo.bucket());
    var taskAttempt = start.attempt();
    var name = logName(start);
    logUploader.open(
        attemptState.id(),
        jobInfo.job(),
        dir.log(),
        new LogUploader.LogDestination(
            piece -> bucketLayout.log(jobInfo.job(), taskAttempt.index(), name, piece),
            jobInfo.spec().run().taskEnvironment().logLimit()),
        attemptState.confidential().parts());
    // The name of an attempt on another host than the first has its rank.
    if (name.equals(taskAttempt.name()))
      attemptState
          .metrics()
          .ifPresent(metrics ->
              logUploader.openMetrics(
                  attemptState.id(),
                  jobInfo.job(),
                  metrics,
                  number ->
                      bucketLayout.metrics(jobInfo.job(), taskAttempt.index(), name, number)));
    if (attemptState.started(runningProcess)) {
      var unused =
          runningProcess
              .exit()
              .thenAccept(processExit ->
                  threads.execute(() -> taskTerminator.exited(attemptState, processExit)));
    } else {
      boolean unused = Thread.interrupted();
      taskTerminator.kill(attemptState, attemptState.killOrder());
    }
  }

  private void startFailed(
      AttemptState attemptState, FailureCause failureCause, boolean machine, String reason) {
    failed(attemptState, StartFailure::start, new StartFailure(failureCause, machine, reason));
  }

  private void failed(AttemptState attemptState, Failure failure, StartFailure why) {
    boolean unused = Thread.interrupted();
    var attempt = attemptState.attempt();
    events.accept(
        attemptState.failed() ? failure.of(why, attempt) : new AgentEvent.Killed(attempt));
  }
}
