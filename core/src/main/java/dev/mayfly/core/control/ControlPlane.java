package dev.mayfly.core.control;

import dev.mayfly.core.jobs.DataLocality;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.jobs.JobExpansion;
import dev.mayfly.core.jobs.JobFinalization;
import dev.mayfly.core.jobs.JobRetry;
import dev.mayfly.core.jobs.JobSubmission;
import dev.mayfly.core.jobs.OutputLookup;
import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.reconcile.MachineEventHandler;
import dev.mayfly.core.reconcile.ReconcileLoop;
import dev.mayfly.core.reconcile.ReconcileResult;
import dev.mayfly.core.reconcile.cleanup.CleanupPlan;
import dev.mayfly.core.reconcile.cleanup.OrphanCollector;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.Ports;
import dev.mayfly.core.state.ReportedFailures;
import dev.mayfly.core.state.Timings;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.state.job.JobStop;
import dev.mayfly.core.sync.LivenessWatch;
import dev.mayfly.core.sync.SyncService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The control plane of one function instance: all use cases, built from the ports.
 *
 * <p>Each is thread-safe, and no in-memory state must survive.
 */
public final class ControlPlane implements AutoCloseable {
  private final Ports ports;
  private final Timings timings;
  private final ChangeSignalSender signals;
  private final CommandHandler commandHandler;
  private final RedeliveryLimit redeliveryLimit;
  private final SyncService syncService;
  private final ReconcileLoop reconcileLoop;
  private final OrphanCollector orphanCollector;
  private final MachineEventHandler machineEventHandler;
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
  public ControlPlane(Ports ports, Timings timings, String instance, String workersUrl) {
    this(ports, timings, instance, workersUrl, Optional.empty());
  }

  /**
   * @param livenessWatch watches clusters with silent workers; empty if this instance does so,
   *     which requires that it runs between calls
   */
  public ControlPlane(
      Ports world,
      Timings timings,
      String instance,
      String workersUrl,
      Optional<LivenessWatch> livenessWatch) {
    signals = new ChangeSignalSender(world.ledger(), world.alarms(), world.clock());
    ports = world.on(new SignallingLedger(world.ledger(), signals));
    this.timings = timings;
    this.livenessWatch = livenessWatch;
    tickPause = new TickPause(ports);
    var lister = new TaskLister(ports.objects(), ports.codec());
    var outputLookup = new OutputLookup(ports.objects());
    var jobQueueWriter =
        new JobQueueWriter(ports.ledger(), ports.alarms(), ports.ids(), ports.clock());
    var jobStop =
        new JobStop(ports.ledger(), ports.bus(), ports.alarms(), ports.ids(), ports.clock());
    jobExpansion =
        new JobExpansion(
            ports.ledger(),
            ports.bus(),
            lister,
            outputLookup,
            jobQueueWriter,
            ports.alarms(),
            ports.clock());
    jobFinalization =
        new JobFinalization(
            ports.ledger(),
            ports.bus(),
            ports.objects(),
            ports.codec(),
            lister,
            outputLookup,
            jobQueueWriter,
            ports.clock());
    var jobSubmission =
        new JobSubmission(
            ports.ledger(),
            ports.bus(),
            new JobAdmission(ports.fleet()),
            ports.codec(),
            lister,
            new DataLocality(ports.objects(), ports.clock()),
            jobExpansion,
            jobQueueWriter,
            ports.clock());
    reconcileLoop = new ReconcileLoop(ports, timings, workersUrl);
    orphanCollector = new OrphanCollector(ports, timings);
    machineEventHandler = new MachineEventHandler(ports, timings);
    var jobRetry =
        new JobRetry(
            ports.ledger(),
            ports.bus(),
            ports.objects(),
            lister,
            outputLookup,
            jobQueueWriter,
            ports.clock());
    commandHandler =
        new CommandHandler(
            ports, new CommandRouter(ports, timings, jobSubmission, jobStop, jobRetry), tickPause);
    syncService =
        new SyncService(
            ports.ledger(),
            ports.bus(),
            ports.alarms(),
            ports.ids(),
            ports.clock(),
            timings,
            instance);
    redeliveryLimit = new RedeliveryLimit(ports.ledger(), ports.clock());
    statusQueries = new StatusQueries(ports.ledger(), ports.clock(), ports.codec(), timings);
  }

  /** Handles a trigger. A repeated, late or pointless trigger changes nothing. */
  public ReconcileResult handle(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Tick t -> {
        var reconcileResult = reconcileLoop.tick();
        yield and(and(reconcileResult, "watch", this::watchOver), "ticks", tickPause::update);
      }
      case Trigger.Sweep s ->
          and(ReconcileResult.now(orphanCollector.collect()), "ticks", tickPause::repair);
      case Trigger.Look l ->
          and(reconcileLoop.reconcile(l), "ticks", tickPause::ensureRunningThrottled);
      case Trigger.Expand e -> {
        jobExpansion.resume(new DocumentKey.OfJob(e.cluster(), e.job()));
        yield ReconcileResult.now(List.of());
      }
      case Trigger.Audit a -> {
        jobFinalization.resume(new DocumentKey.OfJob(a.cluster(), a.job()));
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
        ports.ledger().query(new LedgerQuery.Clusters(false)).readableOnly().stream()
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
    var failureLog = new FailureLog(log, ports);
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
    return OrphanCollector.plan(ports, timings);
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
