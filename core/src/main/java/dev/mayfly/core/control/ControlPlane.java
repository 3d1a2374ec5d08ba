package dev.mayfly.core.control;

import dev.mayfly.core.jobs.DataLocality;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.jobs.JobExpansion;
import dev.mayfly.core.jobs.JobFinalization;
import dev.mayfly.core.jobs.JobRetry;
import dev.mayfly.core.jobs.JobStarts;
import dev.mayfly.core.jobs.JobSubmission;
import dev.mayfly.core.jobs.OpenJobs;
import dev.mayfly.core.jobs.OutputLookup;
import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.jobs.schedule.ScheduleCommands;
import dev.mayfly.core.jobs.schedule.ScheduleRunner;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.reconcile.MachineEventHandler;
import dev.mayfly.core.reconcile.ReconcileLoop;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import dev.mayfly.core.reconcile.cleanup.OrphanCollector;
import dev.mayfly.core.sentinel.SharedSentinels;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.state.job.JobStop;
import dev.mayfly.core.state.worker.WorkerTransitions;
import dev.mayfly.core.sync.LivenessWatch;
import dev.mayfly.core.sync.SyncService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The control plane of one function instance: all use cases, built from the ports.
 *
 * <p>They are thread-safe and may lose their memory at any time.
 */
public final class ControlPlane implements AutoCloseable {
  private final Context context;
  private final ChangeSignalSender signals;
  private final NotificationPublisher notificationPublisher;
  private final CommandHandler commandHandler;
  private final RedeliveryLimit redeliveryLimit;
  private final SyncService syncService;
  private final ReconcileLoop reconcileLoop;
  private final OrphanCollector orphanCollector;
  private final MachineEventHandler machineEventHandler;
  private final JobStarts jobStarts;
  private final ScheduleRunner scheduleRunner;
  private final JobExpansion jobExpansion;
  private final JobFinalization jobFinalization;
  private final StatusQueries statusQueries;
  private final Optional<LivenessWatch> livenessWatch;
  private final TickPause tickPause;
  private final ReportedFailures log = new ReportedFailures();

  /**
   * @param instance a name that no other instance has
   * @param workersUrl where agents sync; passed to new machines
   */
  public ControlPlane(Context context, String instance, String workersUrl) {
    this(context, instance, workersUrl, Optional.empty());
  }

  /**
   * @param livenessWatch watches clusters with silent workers; empty if this instance does so,
   *     which requires that it runs between calls
   */
  public ControlPlane(
      Context context, String instance, String workersUrl, Optional<LivenessWatch> livenessWatch) {
    signals = new ChangeSignalSender(context.ledger(), context.executor(), context.clock());
    notificationPublisher =
        new NotificationPublisher(context.ledger(), context.notifications(), context.clock());
    context = context.with(new SignallingLedger(context.ledger(), signals, notificationPublisher));
    this.context = context;
    this.livenessWatch = livenessWatch;
    tickPause = new TickPause(context, notificationPublisher);
    var lister = new TaskLister(context.objects(), context.codec());
    var sharedSentinels =
        new SharedSentinels(context.objects(), context.codec(), context.executor()::runAll);
    var outputLookup = new OutputLookup(context.objects(), sharedSentinels);
    var jobQueueWriter = new JobQueueWriter(context);
    var jobStop = new JobStop(context);
    jobExpansion = new JobExpansion(context, lister, outputLookup, jobQueueWriter);
    jobStarts = new JobStarts(context, jobExpansion, jobQueueWriter);
    jobFinalization = new JobFinalization(context, lister, outputLookup, jobQueueWriter);
    var jobAdmission =
        new JobAdmission(
            JobAdmission.PoolLimits.of(context.fleet()),
            lister,
            new DataLocality(context.objects(), context.clock()));
    var jobSubmission =
        new JobSubmission(context, jobAdmission, lister, jobExpansion, jobQueueWriter);
    scheduleRunner = new ScheduleRunner(context, jobSubmission);
    // One for all, because it remembers which deletions were requested and how many.
    var workerTransitions = new WorkerTransitions(context);
    reconcileLoop = new ReconcileLoop(context, workersUrl, workerTransitions);
    orphanCollector = new OrphanCollector(context, workerTransitions);
    machineEventHandler = new MachineEventHandler(context, workerTransitions);
    var jobRetry = new JobRetry(context, lister, outputLookup, jobQueueWriter);
    var openJobs = new OpenJobs(context, jobExpansion, jobQueueWriter);
    commandHandler =
        new CommandHandler(
            context,
            new CommandRouter(
                context,
                workerTransitions,
                jobSubmission,
                jobStop,
                jobRetry,
                openJobs,
                new ScheduleCommands(context, jobAdmission, scheduleRunner)),
            tickPause);
    syncService = new SyncService(context, instance);
    redeliveryLimit = new RedeliveryLimit(context.ledger(), context.clock());
    statusQueries = new StatusQueries(context);
  }

  /** Handles a trigger. A repeated, late or pointless trigger changes nothing. */
  public ReconcileResult handle(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Tick _ -> {
        var reconcileResult = reconcileLoop.tick();
        var watched = and(reconcileResult, "watch", this::watchOver);
        yield and(
            and(watched, "notifications", notificationPublisher::publishMissed),
            "ticks",
            tickPause::update);
      }
      case Trigger.CollectOrphans _ ->
          and(ReconcileResult.now(orphanCollector.collect()), "ticks", tickPause::repair);
      case Trigger.Reconcile reconcile ->
          and(reconcileLoop.reconcile(reconcile), "ticks", tickPause::ensureRunningThrottled);
      case Trigger.StartWaiting start -> {
        jobStarts.start(start.cluster());
        yield ReconcileResult.now(List.of());
      }
      case Trigger.RunSchedules run ->
          and(
              ReconcileResult.now(List.of()),
              "schedules",
              failureLog -> scheduleRunner.run(run.cluster(), failureLog));
      case Trigger.Expand expand -> {
        jobExpansion.resume(new DocumentKey.OfJob(expand.cluster(), expand.job()));
        yield ReconcileResult.now(List.of());
      }
      case Trigger.Finalize finalize -> {
        jobFinalization.resume(new DocumentKey.OfJob(finalize.cluster(), finalize.job()));
        yield ReconcileResult.now(List.of());
      }
    };
  }

  /** Continues what a reconcile left for later, at that time. */
  public ReconcileResult resume(ReconcileResult.Later later) {
    return reconcileLoop.resume(later);
  }

  /** Turns the rest into triggers, for a call that ends before it could continue. */
  public void passOn(ReconcileResult.Later later) {
    reconcileLoop.passOn(later);
  }

  /**
   * Opened around the handling of each event: in a process without CPU between its calls, closing
   * waits until all pending signals are sent.
   */
  public FlushScope flushOnClose() {
    return signals.openScope();
  }

  /** A call in progress. */
  @FunctionalInterface
  public interface FlushScope extends AutoCloseable {
    @Override
    void close();
  }

  public MachineEventHandler vmEvents() {
    return machineEventHandler;
  }

  private void watchOver(FailureLog failureLog) {
    // Unreadable clusters are not watched; the tick has reported them.
    var live =
        context.ledger().query(new LedgerQuery.Clusters(false)).readableOnly().stream()
            .map(c -> c.value().uid())
            .toList();
    var silent = new ArrayList<String>();
    for (var cluster : live)
      failureLog.guard(
          "watch over cluster " + cluster,
          () -> {
            if (livenessWatch.isEmpty()) syncService.watch(cluster);
            else if (syncService.hasSilentWorkers(cluster)) silent.add(cluster);
          });
    if (!silent.isEmpty())
      failureLog.guard("liveness watch", () -> livenessWatch.orElseThrow().watch(silent));
  }

  private ReconcileResult and(ReconcileResult before, String place, Consumer<FailureLog> work) {
    var failureLog = new FailureLog(log, context);
    failureLog.guard(place, () -> work.accept(failureLog));
    return before.plus(failureLog.lines());
  }

  private ReconcileResult and(ReconcileResult before, String place, Runnable work) {
    return and(before, place, _ -> work.run());
  }

  /** Wraps {@link #commandHandler} for messages that are redelivered again and again. */
  public RedeliveryLimit redeliveries() {
    return redeliveryLimit;
  }

  public CommandHandler commandHandler() {
    return commandHandler;
  }

  /** What cleanup would do now; reads only. */
  public CleanupPlan cleanupPlan() {
    return OrphanCollector.plan(context);
  }

  public SyncService syncService() {
    return syncService;
  }

  public StatusQueries statusQueries() {
    return statusQueries;
  }

  @Override
  public void close() {
    syncService.close();
  }
}
