package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.credentials.SecretRedactor;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.LaunchSteps;
import dev.mayfly.agent.process.OomScore;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import dev.mayfly.agent.process.kill.TaskMarkers;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.Secrets;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
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
  private final Map<String, String> environment;
  private final InputStaging inputStaging;
  private final Secrets secrets;
  private final TaskTerminator taskTerminator;
  private final LogUploader logUploader;
  private final Executor threads;
  private final Consumer<AgentEvent> events;

  /** How many preparations in a row found a device held by another process. */
  private final AtomicInteger busy = new AtomicInteger();

  TaskStarter(
      TaskContext taskContext,
      Map<String, String> environment,
      InputStaging inputStaging,
      Secrets secrets,
      TaskTerminator taskTerminator,
      LogUploader logUploader,
      TaskExecutor.ExecutionContext executionContext) {
    this.taskContext = taskContext;
    this.environment = environment;
    this.inputStaging = inputStaging;
    this.secrets = secrets;
    this.taskTerminator = taskTerminator;
    this.logUploader = logUploader;
    this.threads = executionContext.threads();
    this.events = executionContext.events();
  }

  /** Prepares the start of a gang's task without starting anything. */
  void prepare(AttemptState attemptState, AgentEffect.Prepare prepare) {
    var start =
        new AgentEffect.Start(prepare.attempt(), prepare.jobInfo(), prepare.item(), prepare.gpus());
    attempt(
        attemptState,
        () -> {
          var paths = stage(attemptState, start);
          var unused = container(attemptState, start, TaskContainer.TOGETHER);
          var heldDevice = heldDevice(start);
          if (heldDevice.isPresent())
            failed(
                attemptState,
                AgentEvent.PrepareFailed::new,
                FailureCause.INFRASTRUCTURE,
                stillBusy(),
                heldDevice.get());
          else if (attemptState.prepared(paths))
            events.accept(new AgentEvent.Prepared(attemptState.attempt()));
          else startFailed(attemptState, FailureCause.RETURNED, false, "");
        },
        AgentEvent.PrepareFailed::new);
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
    attempt(attemptState, () -> launch(attemptState, start), AgentEvent.StartFailed::new);
  }

  private interface Step {
    void go() throws IOException, CodeStore.InvalidCode;
  }

  private interface Failure {
    AgentEvent of(TaskAttempt taskAttempt, FailureCause cause, boolean machine, String evidence);
  }

  private void attempt(AttemptState attemptState, Step step, Failure failure) {
    try {
      if (attemptState.preparing()) {
        step.go();
      } else {
        failed(attemptState, failure, FailureCause.RETURNED, false, "");
      }
    } catch (CodeStore.InvalidCode
        | InvalidInputException
        | DeniedException
        | IllegalArgumentException
        | FileNotFoundException e) {
      failed(attemptState, failure, FailureCause.USER, false, message(e));
    } catch (WorkDir.Broken e) {
      LOG.warn(
          "attempt not started by its machine attempt={} reason={}", attemptState.id(), message(e));
      failed(attemptState, failure, FailureCause.INFRASTRUCTURE, true, message(e));
    } catch (IOException | UnavailableException e) {
      LOG.warn("attempt not started attempt={} reason={}", attemptState.id(), message(e));
      failed(attemptState, failure, FailureCause.INFRASTRUCTURE, false, message(e));
    } catch (RuntimeException e) {
      LOG.error("attempt not started, by a bug attempt={}", attemptState.id(), e);
      failed(attemptState, failure, FailureCause.INFRASTRUCTURE, false, message(e));
    }
  }

  private void launch(AttemptState attemptState, AgentEffect.Start start)
      throws IOException, CodeStore.InvalidCode {
    var before = attemptState.paths();
    var paths = before.isPresent() ? before.get() : stage(attemptState, start);
    var dir = attemptState.dir().orElseThrow();
    var prepared = before.isPresent() ? TaskContainer.PREPARED : TaskContainer.ALONE;
    var taskContainer = container(attemptState, start, prepared);
    var user = taskContext.users().of(start.jobInfo().spec().run().rights());
    // Before building the command: a container runs as the owner of the subfolders.
    if (user.isPresent()) dir.giveTo(user.get());
    var processCommand = command(attemptState, start, dir, paths, taskContainer);
    var needs = start.jobInfo().spec().resources();
    var resourceLimits = taskContext.tools().limits();
    var bounds =
        taskContainer.isPresent()
            ? taskContainer.get().bounds(ResourceLimits.counting())
            : resourceLimits.bounds(attemptState.id(), needs.cpuMillis(), needs.memoryBytes());
    attemptState.setBounds(bounds, taskContainer.isPresent());
    // The engine switches the container to that user; its client runs with the agent's rights.
    var steps =
        new LaunchSteps(
            bounds.entrance(),
            OomScore.spared(),
            taskContainer.isPresent() ? Optional.empty() : user);
    switch (taskContext.tools().launcher().launch(processCommand.withSteps(steps))) {
      case LaunchResult.NotStarted(int code, String reason) -> {
        bounds.close();
        startFailed(attemptState, FailureCause.USER, false, reason);
      }
      case LaunchResult.NoRoom(String reason) -> {
        bounds.close();
        startFailed(attemptState, FailureCause.INFRASTRUCTURE, true, reason);
      }
      case LaunchResult.Started(RunningProcess runningProcess) -> {
        dir.recordFirstProcess(runningProcess.pid());
        follow(attemptState, start, dir, runningProcess);
      }
    }
  }

  /** Downloads code and input: with the image, everything that a start needs. */
  private InputStaging.Paths stage(AttemptState attemptState, AgentEffect.Start start)
      throws IOException, CodeStore.InvalidCode {
    var dir = taskContext.workDir().attempt();
    attemptState.setDir(dir);
    var paths = inputStaging.fetch(start, dir);
    attemptState.setOutput(paths.output());
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
            taskContext.users().isolated());
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

  private void follow(
      AttemptState attemptState,
      AgentEffect.Start start,
      AttemptDir dir,
      RunningProcess runningProcess) {
    var jobInfo = start.jobInfo();
    var bucketLayout = BucketLayout.of(jobInfo.bucket());
    var taskAttempt = start.attempt();
    var rank = start.peers().getOrDefault("MAYFLY_RANK", "0");
    var name = rank.equals("0") ? taskAttempt.name() : taskAttempt.name() + "-rank" + rank;
    logUploader.open(
        attemptState.id(),
        jobInfo.job(),
        dir.log(),
        piece -> bucketLayout.log(jobInfo.job(), taskAttempt.index(), name, piece),
        attemptState.confidential().parts());
    if (attemptState.started(runningProcess)) {
      var unused =
          runningProcess
              .exit()
              .thenAccept(processExit ->
                  threads.execute(() -> taskTerminator.exited(attemptState, processExit)));
    } else {
      boolean unused = Thread.interrupted();
      taskTerminator.kill(attemptState, attemptState.grace());
    }
  }

  private ProcessCommand command(
      AttemptState attemptState,
      AgentEffect.Start start,
      AttemptDir dir,
      InputStaging.Paths paths,
      Optional<TaskContainer> taskContainer)
      throws IOException {
    var taskCommand = TaskCommand.of(start, paths.input().toString(), paths.output().toString());
    var own = new HashMap<String, String>();
    var temporary = taskContainer.isPresent() ? dir.containedTemporary() : dir.temporary();
    own.put("TMPDIR", temporary.toString());
    own.putAll(taskCommand.env());
    own.putAll(secrets(attemptState, start));
    own.putAll(TaskMarkers.of(taskContext.workDir().root(), attemptState.id()));
    own.put("MAYFLY_NOTICE", dir.notice().toString());
    own.put("PWD", dir.work().toString());
    var variables = new HashMap<>(environment);
    taskContext
        .users()
        .of(start.jobInfo().spec().run().rights())
        .ifPresent(user -> variables.putAll(user.environment()));
    variables.putAll(own);
    var processCommand =
        new ProcessCommand(taskCommand.argv(), variables, dir.work(), dir.log().path());
    return taskContainer.map(c -> c.wrap(processCommand, own, dir)).orElse(processCommand);
  }

  /** Reads secrets anew for each attempt, so that the next attempt gets a rotated value. */
  private Map<String, String> secrets(AttemptState attemptState, AgentEffect.Start start) {
    var values = new HashMap<String, String>();
    if (start.jobInfo().spec().run().image().isPresent())
      start.jobInfo().spec().run().secrets().keySet().forEach(TaskStarter::requireUnreadByEngine);
    start.jobInfo().spec().run().secrets().forEach((k, ref) -> values.put(k, secrets.value(ref)));
    attemptState.setSecrets(SecretRedactor.of(values.values()));
    return values;
  }

  private static void requireUnreadByEngine(String name) {
    if (ContainerEngine.readsVariable(name))
      throw new InvalidInputException(
          "secrets." + name, "would be read by the container engine too; give it another name");
  }

  private void startFailed(
      AttemptState attemptState, FailureCause failureCause, boolean machine, String reason) {
    failed(attemptState, AgentEvent.StartFailed::new, failureCause, machine, reason);
  }

  private void failed(
      AttemptState attemptState,
      Failure failure,
      FailureCause failureCause,
      boolean machine,
      String reason) {
    boolean unused = Thread.interrupted();
    var attempt = attemptState.attempt();
    events.accept(
        attemptState.failed()
            ? failure.of(attempt, failureCause, machine, AttemptFailure.fit(reason))
            : new AgentEvent.Killed(attempt));
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
