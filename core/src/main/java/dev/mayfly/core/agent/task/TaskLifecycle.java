package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentEvent.Prospect;
import dev.mayfly.core.agent.loop.Grace;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.RunState.Killing;
import dev.mayfly.core.agent.task.RunState.Publishing;
import dev.mayfly.core.agent.task.RunState.Running;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.ProcessEnd;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.text.HumanDuration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Attempts on the machine: start, end and kill. {@link Publishing} follows. */
public final class TaskLifecycle {
  private final AgentContext agentContext;
  private final ResourceAllocator resourceAllocator;
  private final TaskDurations taskDurations;
  private final SyncTimer sync;
  private final ResultCheck resultCheck;
  private final OutputPublisher outputPublisher;
  private final StartBackoff starts;
  private final DenialPatience denialPatience;
  private final KillRequests killRequests;
  private final FailedFolders failedFolders;

  public TaskLifecycle(
      AgentContext agentContext,
      ResourceAllocator resourceAllocator,
      TaskDurations taskDurations,
      SyncTimer sync) {
    this.agentContext = agentContext;
    this.resourceAllocator = resourceAllocator;
    this.taskDurations = taskDurations;
    this.sync = sync;
    this.resultCheck = new ResultCheck(agentContext, sync);
    this.outputPublisher = new OutputPublisher(agentContext, this, resultCheck);
    this.starts = new StartBackoff(agentContext, sync);
    this.denialPatience = new DenialPatience(agentContext);
    this.killRequests = new KillRequests(agentContext);
    this.failedFolders = new FailedFolders(agentContext);
  }

  public ResultCheck resultCheck() {
    return resultCheck;
  }

  public FailedFolders failedFolders() {
    return failedFolders;
  }

  DenialPatience denialPatience() {
    return denialPatience;
  }

  public StartBackoff starts() {
    return starts;
  }

  public OutputPublisher publisher() {
    return outputPublisher;
  }

  public void begin(HeldLease lease, JobInfo jobInfo, TaskItem item, List<Integer> gpus) {
    var taskAttempt = new TaskAttempt(lease.ref, item.index());
    var run =
        new TaskRun(taskAttempt, lease, jobInfo, item, gpus, agentContext.now(), new Running());
    lease.runs.put(item.index(), run);
    resourceAllocator.allocate(jobInfo.spec().resources(), gpus);
    agentContext.emit(new AgentEffect.Start(taskAttempt, jobInfo, item, gpus));
    starts.began();
    var timeout = jobInfo.spec().run().timeout();
    if (timeout.isPositive())
      run.addTimer(agentContext.timerQueue.set(agentContext.now(), timeout, () -> timedOut(run)));
  }

  /**
   * Fetches everything that a start needs, and keeps a port for it; takes the task's resources from
   * now on.
   */
  public void prepare(
      HeldLease lease, JobInfo jobInfo, TaskItem item, List<Integer> gpus, GangOrder order) {
    var taskAttempt = new TaskAttempt(lease.ref, item.index());
    var state = new RunState.Preparing();
    lease.runs.put(
        item.index(),
        new TaskRun(taskAttempt, lease, jobInfo, item, gpus, agentContext.now(), state));
    resourceAllocator.allocate(jobInfo.spec().resources(), gpus);
    agentContext.emit(
        new AgentEffect.Prepare(
            taskAttempt,
            jobInfo,
            item,
            gpus,
            order.rank(),
            AgentEffect.Prepare.PortSearch.of(jobInfo, order, agentContext.settings.address())));
  }

  /** Starts a prepared run. The control plane enforces its timeout. */
  public void start(TaskRun run, Map<String, String> peers) {
    run.transition(new Running(), agentContext.timerQueue);
    agentContext.emit(
        new AgentEffect.Start(run.taskAttempt, run.jobInfo, run.item, run.gpus, peers));
  }

  private void prepared(TaskRun run, GangContact contact) {
    if (run.state() instanceof RunState.Preparing)
      run.transition(new RunState.Prepared(contact), agentContext.timerQueue);
  }

  private void prepareFailed(TaskRun run, AgentEvent.PrepareFailed end) {
    switch (run.state()) {
      case RunState.Preparing _ -> {
        release(run);
        var none = new ProcessEnd.NeverBegan(end.machine());
        fail(run, end.cause(), none, end.evidence(), end.prospect() == Prospect.NONE);
      }
      case Killing killing -> killConfirmed(run, killing, ProcessEnd.none());
      default -> {}
    }
  }

  private void timedOut(TaskRun run) {
    var rules = run.jobInfo.spec().run();
    var evidence = "still running after its timeout of " + HumanDuration.exact(rules.timeout());
    kill(run, Optional.of(FailureCause.TIMEOUT), evidence, Grace.of(rules.grace()));
  }

  public void on(TaskRun run, AgentEvent.AttemptEvent event) {
    switch (event) {
      case AgentEvent.FolderMade made -> run.folder = Optional.of(made.path());
      case AgentEvent.InputFound found -> run.inputGeneration = Optional.of(found.generation());
      case AgentEvent.OutputFound found -> run.outputBefore = Optional.of(found.generation());
      case AgentEvent.MetricsRead read -> run.reported(read.values(), agentContext.now());
      case AgentEvent.UseMeasured measured -> run.use = Optional.of(measured.use());
      case AgentEvent.CheckpointStored stored ->
          run.kept(stored.until(), agentContext.now().wall());
      case AgentEvent.CheckpointRestored from -> run.continued = Optional.of(from.checkpoint());
      case AgentEvent.Prepared prepared -> prepared(run, prepared.contact());
      case AgentEvent.PrepareFailed prepareFailed -> prepareFailed(run, prepareFailed);
      case AgentEvent.Exited exited -> exited(run, exited);
      case AgentEvent.StartFailed failed -> startFailed(run, failed);
      case AgentEvent.Killed killed when run.state() instanceof Killing killing ->
          killConfirmed(run, killing, new ProcessEnd.Exited(killed.exitCode()));
      case AgentEvent.Killed _, AgentEvent.ImagePulled _ -> {}
      case AgentEvent.Uploaded uploaded -> outputPublisher.uploaded(run, uploaded.output());
      case AgentEvent.OutputExists exists -> outputPublisher.exists(run, exists.evidence());
      case AgentEvent.OutputReplaced _ -> outputPublisher.replaced(run);
      case AgentEvent.Sealed sealed -> outputPublisher.sealed(run, sealed);
      case AgentEvent.PublishFailed failed -> outputPublisher.failed(run, failed);
      case AgentEvent.Discarded discarded -> outputPublisher.discarded(run, discarded.deleted());
      case AgentEvent.PublishCrashed broken -> outputPublisher.crashed(run, broken.reason());
    }
  }

  private void exited(TaskRun run, AgentEvent.Exited end) {
    starts.ran(run.began);
    switch (run.state()) {
      case Running _ when run.lease.gang().isPresent() -> {
        release(run);
        run.transition(
            new RunState.AwaitingGang(resultCheck.of(run, end)), agentContext.timerQueue);
      }
      case Running running -> {
        release(run);
        var ending = resultCheck.of(run, end);
        if (ending.succeeded()) {
          var took = agentContext.now().monotonicSince(run.began);
          taskDurations.add(run.taskAttempt.lease().job(), run.jobInfo.spec().resources(), took);
          outputPublisher.begin(run);
        } else outputPublisher.reject(run, ending);
      }
      case Killing killing -> killConfirmed(run, killing, new ProcessEnd.Exited(end.exitCode()));
      case RunState.Preparing _,
          RunState.Prepared _,
          RunState.Refused _,
          RunState.AwaitingGang _,
          Publishing _ -> {}
    }
  }

  private void startFailed(TaskRun run, AgentEvent.StartFailed end) {
    if (end.machine()) starts.failed(end.evidence());
    switch (run.state()) {
      case Running running -> {
        release(run);
        startFailed(run, end, run.lease.gang().isPresent());
      }
      case Killing killing -> killConfirmed(run, killing, ProcessEnd.none());
      case RunState.Preparing _,
          RunState.Prepared _,
          RunState.Refused _,
          RunState.AwaitingGang _,
          Publishing _ -> {}
    }
  }

  /** What is denied at once would use up all of a task's attempts before a grant takes effect. */
  private void startFailed(TaskRun run, AgentEvent.StartFailed end, boolean gang) {
    if (gang || end.prospect() != Prospect.DENIED) {
      fail(run, end.cause(), ProcessEnd.none(), end.evidence(), end.prospect() == Prospect.NONE);
      return;
    }
    var stall = denialPatience.denied(run, end.evidence());
    if (stall.isEmpty()) {
      fail(run, end.cause(), ProcessEnd.none(), end.evidence(), true);
      return;
    }
    run.transition(new RunState.Refused(), agentContext.timerQueue);
    stalled(run, stall.get());
    run.addTimer(
        agentContext.timerQueue.set(
            agentContext.now(),
            agentContext.settings.storeRetry(),
            () -> fail(run, end.cause(), ProcessEnd.none(), end.evidence())));
  }

  /** What an attempt waits for is told soon. */
  void stalled(TaskRun run, RunState.Stall stall) {
    if (run.stall.isEmpty()) sync.syncNow();
    run.stall = Optional.of(stall);
  }

  private void killConfirmed(TaskRun run, Killing killing, ProcessEnd process) {
    release(run);
    if (killing.cause().isEmpty()) {
      end(run);
      return;
    }
    var cause = killing.cause().get();
    outputPublisher.reject(run, new RunState.Ending(process, cause, killing.evidence(), false));
  }

  private void release(TaskRun run) {
    resourceAllocator.release(run.jobInfo.spec().resources(), run.gpus);
  }

  /**
   * Requests the end of all its processes; its resources stay taken until that is confirmed. A
   * second reason does not change the first one's cause, but may remove it or end the grace.
   *
   * @param failureCause the failure to report; empty if it is not to be reported
   */
  public void kill(TaskRun run, Optional<FailureCause> failureCause, String evidence, Grace grace) {
    switch (run.state()) {
      case Running _, RunState.Preparing _, RunState.Prepared _ ->
          killRequests.send(run, new Killing(failureCause, evidence), grace);
      case Killing killing -> {
        var next = failureCause.isEmpty() ? new Killing(failureCause, evidence) : killing;
        if (failureCause.isEmpty() || grace.isOver())
          killRequests.send(run, next, failureCause, grace);
      }
      case Publishing publishing when publishing.rejected().isPresent() ->
          failureCause.ifPresentOrElse(_ -> fail(run, publishing.rejected().get()), () -> end(run));
      case RunState.Refused _, RunState.AwaitingGang _, Publishing _ -> {
        failedFolders.exited(run);
        failureCause.ifPresentOrElse(
            c -> fail(run, c, ProcessEnd.success(), evidence), () -> end(run));
      }
    }
  }

  void done(TaskRun run) {
    run.lease.done(run.taskAttempt.index());
    sync.syncSoon();
    end(run);
  }

  /**
   * @param evidence Mayfly's own words, of which the beginning matters most
   * @param lasting whether another attempt would fail alike
   */
  void fail(TaskRun run, FailureCause cause, ProcessEnd process, String evidence, boolean lasting) {
    var failure =
        agentContext.failure(run.taskAttempt, cause, process, AttemptFailure.fit(evidence));
    fail(run, lasting ? failure.asLasting() : failure, process);
  }

  void fail(TaskRun run, FailureCause failureCause, ProcessEnd process, String evidence) {
    fail(run, agentContext.failure(run.taskAttempt, failureCause, process, evidence), process);
  }

  /** Reports how an attempt without a result ended. */
  void fail(TaskRun run, RunState.Ending ending) {
    fail(run, ending.cause(), ending.process(), ending.text());
  }

  private void fail(TaskRun run, AttemptFailure failure, ProcessEnd process) {
    run.lease.failed(run.told(failure), process);
    failedFolders.failed(run, failure.cause());
    sync.taskFailed();
    end(run);
  }

  /** Reports a task that a user stopped before it began. */
  public void stopUnstarted(HeldLease lease, long index) {
    var taskAttempt = new TaskAttempt(lease.ref, index);
    lease.failed(
        agentContext.failure(
            taskAttempt, FailureCause.STOPPED, ProcessEnd.none(), "stopped before it began"));
    sync.taskFailed();
  }

  private void end(TaskRun run) {
    outputPublisher.ended(run);
    run.transition(run.state(), agentContext.timerQueue);
    run.lease.runs.remove(run.taskAttempt.index());
    failedFolders.ended(run.taskAttempt);
  }
}
