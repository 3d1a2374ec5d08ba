package dev.mayfly.core.agent;

import dev.mayfly.core.agent.lease.GangTaskLifecycle;
import dev.mayfly.core.agent.lease.LeaseTable;
import dev.mayfly.core.agent.lease.TaskScheduler;
import dev.mayfly.core.agent.loop.AgentContext;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.agent.loop.MachineReadiness;
import dev.mayfly.core.agent.loop.SyncTimer;
import dev.mayfly.core.agent.loop.TimerQueue;
import dev.mayfly.core.agent.sync.GracefulShutdown;
import dev.mayfly.core.agent.sync.MachineProblems;
import dev.mayfly.core.agent.sync.PartitionHandler;
import dev.mayfly.core.agent.sync.PulledImages;
import dev.mayfly.core.agent.sync.SyncReportBuilder;
import dev.mayfly.core.agent.task.ResourceAllocator;
import dev.mayfly.core.agent.task.TaskDurations;
import dev.mayfly.core.agent.task.TaskLifecycle;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One worker's agent: pulls leases, runs their tasks within the machine's resources, publishes
 * results, and reports to the control plane at each sync.
 *
 * <p><b>Driving it.</b> Pass it {@link AgentEvent.Started}, perform the effects that {@link #on}
 * returns, and pass it every answer as an event, with both clocks read at that moment. Events come
 * one at a time; the executor's threads share one queue. The agent reads no clock of its own:
 * {@link AgentEffect.WakeAt} says when to call it next.
 *
 * <p><b>Must:</b> never start a task that another worker may run; never give a task's resources to
 * another before all of its processes are gone; never report a task as done without a sentinel;
 * never publish exclusive work in doubt. <b>Goals:</b> no idle slot while work is leased; few
 * calls.
 */
public final class Agent {
  private final AgentContext agentContext;
  private final SyncTimer sync;
  private final LeaseTable leaseTable;
  private final TaskLifecycle taskLifecycle;
  private final ResourceAllocator resourceAllocator;
  private final TaskScheduler taskScheduler;
  private final GangTaskLifecycle gangs;
  private final GracefulShutdown gracefulShutdown;
  private final PartitionHandler partitionHandler;
  private final SyncReportBuilder syncReportBuilder;
  private final MachineProblems machineProblems = new MachineProblems();
  private final PulledImages pulledImages = new PulledImages();
  private List<String> followed = List.of();
  private Optional<SyncOrders> lastOrders = Optional.empty();

  /** Whether something but the time may have changed since the last report was built. */
  private boolean news = true;

  private boolean fenced;
  private long armed = TimerQueue.NEVER;

  /**
   * @param now when the agent began
   * @param random for pauses; one seed gives one trace
   */
  public Agent(
      WorkerInfo workerInfo,
      Incarnation incarnation,
      AgentSettings settings,
      RandomGenerator random,
      ClockReading now) {
    agentContext = new AgentContext(settings, random, workerInfo.worker(), now);
    var taskDurations = new TaskDurations();
    resourceAllocator = new ResourceAllocator(workerInfo.visible());
    sync = new SyncTimer(agentContext);
    taskLifecycle = new TaskLifecycle(agentContext, resourceAllocator, taskDurations, sync);
    leaseTable = new LeaseTable(agentContext, taskLifecycle);
    taskScheduler =
        new TaskScheduler(
            agentContext, leaseTable, taskLifecycle, resourceAllocator, taskDurations, sync);
    gangs = new GangTaskLifecycle(agentContext, leaseTable, taskLifecycle, resourceAllocator, sync);
    gracefulShutdown = new GracefulShutdown(agentContext, leaseTable, sync);
    partitionHandler = new PartitionHandler(agentContext, leaseTable, sync);
    syncReportBuilder =
        new SyncReportBuilder(
            agentContext,
            workerInfo,
            incarnation,
            leaseTable,
            taskScheduler,
            gracefulShutdown,
            taskDurations,
            machineProblems);
    syncReportBuilder.totalResources(resourceAllocator::total);
    syncReportBuilder.failedFolders(taskLifecycle.failedFolders()::all);
    syncReportBuilder.pulledImages(() -> pulledImages.of(leaseTable.all()));
  }

  /** Handles {@code event} and returns the effects to perform, in this order. */
  public List<AgentEffect> on(AgentEvent event, ClockReading now) {
    var suspended =
        now.disagreement(agentContext.now()).compareTo(agentContext.settings.clockSlack()) > 0;
    agentContext.begin(now);
    if (suspended) sync.suspended();
    if (sync.overdue()) sync.failed(!leaseTable.isEmpty());
    machineProblems.update(event);
    var nothingNew = handle(event);
    nothingNew &= !agentContext.timerQueue.run(now);
    partitionHandler.check();
    if (!nothingNew || suspended || !isAtRest()) {
      news = true;
      advance();
    }
    syncIfDue();
    setAlarm();
    return agentContext.effects();
  }

  /** After it, a repeat without news does nothing while {@link #isAtRest}. */
  private void advance() {
    gracefulShutdown.advance();
    if (!fenced) taskScheduler.start();
    gangs.advance(taskScheduler.blocked());
    taskLifecycle.publisher().sealWaiting(this::sealsMore);
    if (leaseTable.forgetEnded()) released();
  }

  /** Whether results of the job may come soon that its waiting ones can share an object with. */
  private boolean sealsMore(String job, int waiting) {
    return !gracefulShutdown.shuttingDown()
        && (leaseTable.unstarted(job) > 0 || leaseTable.running(job) > waiting);
  }

  /** Whether nothing goes on here but tasks that run, of which time alone changes nothing. */
  private boolean isAtRest() {
    return !fenced
        && !sync.failing()
        && !gracefulShutdown.shuttingDown()
        && !leaseTable.inGang()
        && !taskScheduler.blocked();
  }

  /** True if it surely changed nothing, but when to sync again. */
  private boolean handle(AgentEvent event) {
    return switch (event) {
      case AgentEvent.Woke _ -> {
        armed = TimerQueue.NEVER;
        yield true;
      }
      case AgentEvent.OrdersReceived came -> ordersReceived(came.orders());
      case AgentEvent.SyncFailed failed -> {
        syncFailed(failed.seq());
        yield false;
      }
      default -> {
        happened(event);
        lastOrders = Optional.empty();
        yield false;
      }
    };
  }

  private void happened(AgentEvent event) {
    switch (event) {
      case AgentEvent.Started started -> {
        syncReportBuilder.bootSteps(started.boot());
        sync.forceSync();
      }
      case AgentEvent.ReadinessChanged readinessChanged -> readinessChanged(readinessChanged);
      case AgentEvent.Woke _, AgentEvent.OrdersReceived _, AgentEvent.SyncFailed _ -> {}
      case AgentEvent.TaskListFetched fetched -> leaseTable.fetched(fetched);
      case AgentEvent.TaskListFetchFailed failed ->
          leaseTable.opening().fetchFailed(failed, leaseTable.all());
      case AgentEvent.Surveyed surveyed -> leaseTable.surveyed(surveyed);
      case AgentEvent.SurveyFailed failed -> leaseTable.surveyFailed(failed);
      case AgentEvent.ImagePulled pulled -> {
        if (pulledImages.pulled(pulled)) sync.syncNow();
      }
      case AgentEvent.AttemptEvent of -> {
        leaseTable.run(of.attempt()).ifPresent(run -> taskLifecycle.on(run, of));
        taskScheduler.attemptChanged(of);
      }
      case AgentEvent.SealedTogether together -> together.ends().forEach(this::happened);
      case AgentEvent.LogsFlushed flushed -> gracefulShutdown.logsFlushed();
      case AgentEvent.PreemptionNoticed notice -> gracefulShutdown.preemptionNoticed(notice.at());
      case AgentEvent.DeviceProblem trouble -> {
        if (machineProblems.device(trouble.problem())) sync.syncNow();
      }
      case AgentEvent.DevicesLost lost -> {
        taskScheduler.blocked(true);
        machineProblems.devicesLost(lost.why());
        taskLifecycle.resultCheck().deviceLost(lost.why());
        sync.syncNow();
      }
      case AgentEvent.DiskUnusable disk -> taskLifecycle.resultCheck().diskUnusable(disk.problem());
      case AgentEvent.MountsMeasured measured -> syncReportBuilder.mounts(measured.mounts());
      case AgentEvent.GpusMeasured measured -> syncReportBuilder.gpuUses(measured.gpus());
      case AgentEvent.MachineMeasured measured -> syncReportBuilder.machineUse(measured.use());
      case AgentEvent.Unlimited unlimited -> {
        if (machineProblems.unlimited(unlimited.why())) sync.syncNow();
      }
      case AgentEvent.StopRequested going -> gracefulShutdown.stop();
      case AgentEvent.StopNowRequested now -> gracefulShutdown.stopNow();
    }
  }

  private void readinessChanged(AgentEvent.ReadinessChanged readinessChanged) {
    syncReportBuilder.bootSteps(readinessChanged.boot());
    switch (readinessChanged.fitness()) {
      case MachineReadiness.Preparing preparing -> {
        taskScheduler.blocked(true);
        machineProblems.machine(MachineProblem.Kind.PREPARING.of(preparing.what()));
      }
      case MachineReadiness.Unfit unfit -> {
        taskScheduler.blocked(true);
        machineProblems.machine(MachineProblem.Kind.UNFIT.of(unfit.why()));
        sync.syncNow();
      }
      case MachineReadiness.Ready ready -> {
        taskScheduler.blocked(machineProblems.hasLostDevices());
        resourceAllocator.limitTo(ready.offered());
        machineProblems.machineReady();
        sync.syncNow();
      }
    }
  }

  private void syncFailed(long seq) {
    if (sync.awaits(seq)) sync.failed(!leaseTable.isEmpty());
  }

  /** True if they order what the last ones did. */
  private boolean ordersReceived(SyncOrders orders) {
    if (!sync.awaits(orders.seq())) return true;
    var repeated = lastOrders.filter(orders::repeats).isPresent();
    lastOrders = Optional.of(orders);
    var change = orders.fenced() ? fence() : leaseTable.apply(orders);
    taskLifecycle.failedFolders().ordered(orders);
    var drainChanged = gracefulShutdown.drain(orders.drain(), orders.drainReason(), orders.now());
    var untilDue = Duration.between(orders.now(), orders.due());
    taskLifecycle.resultCheck().due(agentContext.now().plus(untilDue));
    sync.answered(change.granted(), change.any() || drainChanged, leaseTable.atWork(), untilDue);
    partitionHandler.contacted();
    gracefulShutdown.answered(orders.seq());
    if (!orders.followed().equals(followed)) {
      followed = orders.followed();
      agentContext.emit(new AgentEffect.FollowLogs(followed));
    }
    // Fenced with nothing left to kill: retry at the heartbeat interval, not in a loop.
    if (fenced && leaseTable.isEmpty()) sync.notBefore(agentContext.settings.sync().syncInterval());
    return repeated && !change.any() && !drainChanged;
  }

  private LeaseTable.Change fence() {
    fenced = true;
    leaseTable.abandonAll();
    return new LeaseTable.Change(false, false);
  }

  /**
   * The control plane waits for released leases. A machine that is about to vanish does not wait
   * for the answer to its previous report.
   */
  private void released() {
    if (gracefulShutdown.urgent()) sync.forceSync();
    else sync.syncNow();
  }

  /** A fenced agent kills its tasks first, and syncs when none is left. */
  private void syncIfDue() {
    if (fenced && leaseTable.isEmpty()) fenced = false;
    if (fenced || !sync.due()) return;
    var waiting = syncReportBuilder.maxWait(sync.failing());
    var seq = sync.sent(waiting);
    var report =
        news ? syncReportBuilder.build(seq, waiting) : syncReportBuilder.again(seq, waiting);
    news = false;
    agentContext.emit(new AgentEffect.Sync(report, sync.limit(waiting)));
  }

  private void setAlarm() {
    var next =
        Math.min(agentContext.timerQueue.next(), Math.min(sync.limitAt(), partitionHandler.next()));
    if (!fenced) next = Math.min(next, sync.at());
    if (next == TimerQueue.NEVER || next >= armed) return;
    armed = next;
    agentContext.emit(new AgentEffect.WakeAt(next));
  }
}
