package dev.mayfly.core.reconcile;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.lifecycle.WorkerEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.HostArrivals;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.capacity.ClusterInventory;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.GangCoordinator;
import dev.mayfly.core.state.job.KeptFailures;
import dev.mayfly.core.state.worker.BadNodes;
import dev.mayfly.core.state.worker.SliceHosts;
import dev.mayfly.core.state.worker.WorkerTransitions;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Performs the pending effects of one worker's stored state, and applies to it what the cloud and
 * the clock show.
 */
final class WorkerReconciler {
  /** The process that made a younger order may still be working on it. */
  private static final Duration ORDER_TIME = Duration.ofSeconds(10);

  /** How long missing hosts are awaited once more: their agents try again within half of it. */
  private static final Duration ONCE_MORE = Duration.ofMinutes(1);

  /** The state of a request of which only the machine's status is known. */
  private static final String QUEUED = "queued";

  /** Should the cloud drop a request without a word. */
  private static final Fleet.Refusal REQUEST_ENDED =
      new Fleet.Refusal(
          Fleet.Refusal.Kind.CAPACITY,
          "FLEX_START_ENDED",
          "the request for a machine ended before the zone had one");

  private final Context context;
  private final WorkerTransitions workerTransitions;
  private final MachineLauncher machineLauncher;
  private final LaunchFailures launchFailures;
  private final GangCoordinator gangCoordinator;
  private final BadNodes badNodes;
  private final KeptFailures keptFailures;
  private final BootWatch bootWatch;

  WorkerReconciler(
      Context context,
      WorkerTransitions workerTransitions,
      MachineLauncher machineLauncher,
      LaunchFailures launchFailures) {
    this.context = context;
    this.workerTransitions = workerTransitions;
    this.machineLauncher = machineLauncher;
    this.launchFailures = launchFailures;
    gangCoordinator = new GangCoordinator(context);
    badNodes = new BadNodes(context);
    keptFailures = new KeptFailures(context);
    bootWatch = new BootWatch(context);
  }

  /**
   * Reports the worker's state to its gangs. Returns the worker afterwards; empty if it is gone, or
   * if another process changed it and the next reconcile must check.
   */
  Optional<VersionedDocument<Worker>> reconcileGangs(
      Cluster cluster, VersionedDocument<Worker> storedWorker) {
    if (!storedWorker.value().inGang()) return Optional.of(storedWorker);
    var bad = gangCoordinator.checkGangs(storedWorker.value(), uid -> runs(cluster, uid));
    var after = context.ledger().read(storedWorker.value().key());
    if (after.isEmpty()) return after;
    // A worker given up earlier already owes the deletion of its machine, whatever its host missed
    // since.
    if (bad.isEmpty() || !mayBeGivenUp(after.get().value().state())) return after;
    var now = context.clock().instant();
    return workerTransitions.apply(
        after.get(), new WorkerEvent.DeclaredLost(now, FailureCause.INFRASTRUCTURE, bad.get()));
  }

  private static boolean mayBeGivenUp(WorkerState state) {
    return state instanceof WorkerState.Ready || state instanceof WorkerState.Draining;
  }

  private boolean runs(Cluster cluster, String job) {
    var storedJob = context.ledger().read(new DocumentKey.OfJob(cluster.uid(), job));
    return storedJob.map(s -> s.value().running()).orElse(false);
  }

  /**
   * Makes the cloud calls that the worker's state requires. Returns the worker afterwards; empty if
   * it is gone, or if another process changed it and the next reconcile must check.
   */
  Optional<VersionedDocument<Worker>> reconcile(
      Cluster cluster, VersionedDocument<Worker> storedWorker) {
    var now = context.clock().instant();
    recordUnfit(cluster, storedWorker.value());
    return switch (storedWorker.value().state()) {
      case WorkerState.Launching s ->
          s.since().plus(ORDER_TIME).isAfter(now)
              ? Optional.of(storedWorker)
              : launching(storedWorker, now);
      case WorkerState.Booting s -> booting(cluster, storedWorker, s, now);
      case WorkerState.Ready _ -> keptFailures.end(storedWorker);
      case WorkerState.Draining s -> draining(storedWorker, s, now);
      case WorkerState.Drained _, WorkerState.Lost _ ->
          workerTransitions.terminate(storedWorker) ? Optional.empty() : Optional.of(storedWorker);
      case WorkerState.Gone _ -> Optional.empty();
    };
  }

  /** Records what shows that it is bad, or its pool; a repeat changes nothing. */
  private void recordUnfit(Cluster cluster, Worker worker) {
    var ends =
        worker.state() instanceof WorkerState.Draining
            || worker.state() instanceof WorkerState.Drained;
    if (worker.notice().isPresent() || worker.unfit().isEmpty()) return;
    if (ends && worker.provisioning() != Provisioning.STATIC)
      launchFailures.unfit(cluster, worker, worker.unfit().get());
    if (ends || ClusterInventory.isUnfit(worker, context.clock().instant())) badNodes.unfit(worker);
  }

  private Optional<VersionedDocument<Worker>> launching(
      VersionedDocument<Worker> storedWorker, Instant now) {
    var machine = context.fleet().find(WorkerTransitions.machineName(storedWorker.value()));
    if (machine.isPresent() && WorkerTransitions.isMachineOf(machine.get(), storedWorker.value()))
      return machineLauncher.adopt(storedWorker, machine.get());
    return workerTransitions.apply(storedWorker, new WorkerEvent.DeadlinePassed(now));
  }

  /**
   * Orders the machine of an intent that no process works on any more. This follows the plan, so
   * that what is no longer needed is cancelled instead.
   */
  void orderAgain(Cluster cluster, VersionedDocument<Worker> storedWorker) {
    var now = context.clock().instant();
    if (!(storedWorker.value().state() instanceof WorkerState.Launching s)
        || s.since().plus(ORDER_TIME).isAfter(now)
        || launchFailures.isBackingOff(storedWorker.value())) return;
    machineLauncher.retry(storedWorker).ifPresent(intent -> machineLauncher.order(cluster, intent));
  }

  private Optional<VersionedDocument<Worker>> booting(
      Cluster cluster,
      VersionedDocument<Worker> storedWorker,
      WorkerState.Booting state,
      Instant now) {
    if (storedWorker.value().provisioning() == Provisioning.STATIC)
      return workerTransitions.apply(storedWorker, new WorkerEvent.DeadlinePassed(now));
    var progress =
        state.operation().isEmpty()
            ? Optional.<Progress>empty()
            : context
                .fleet()
                .progress(WorkerTransitions.machineName(storedWorker.value()), state.operation());
    if (progress.isPresent() && progress.get() instanceof Progress.Failed failed)
      return launchFailures.handle(cluster, storedWorker, failed.refusal(), true);
    if (progress.isPresent() && progress.get() instanceof Progress.Queued queued)
      return bootWatch
          .seen(storedWorker, progress, now)
          .flatMap(
              seen -> workerTransitions.apply(seen, new WorkerEvent.Queued(now, queued.state())));
    var pending = progress.filter(p -> p instanceof Progress.Pending).isPresent();
    return bootWatch
        .seen(storedWorker, progress, now)
        .flatMap(seen -> booting(cluster, seen, state, progress, pending, now));
  }

  private Optional<VersionedDocument<Worker>> booting(
      Cluster cluster,
      VersionedDocument<Worker> storedWorker,
      WorkerState.Booting state,
      Optional<Progress> progress,
      boolean pending,
      Instant now) {
    var missing = missingHosts(storedWorker.value(), state, now);
    if (missing.isPresent()) return workerTransitions.apply(storedWorker, missing.get());
    if (state.queue().isEmpty() && state.deadline().isAfter(now))
      return isKept(storedWorker.value(), progress)
          ? workerTransitions.apply(storedWorker, new WorkerEvent.Queued(now, QUEUED))
          : Optional.of(storedWorker);
    return overdue(cluster, storedWorker, state, pending, now);
  }

  /**
   * Whether the cloud keeps the request for a machine that starts flexibly: that is no slow start.
   */
  private boolean isKept(Worker worker, Optional<Progress> progress) {
    return worker.provisioning() == Provisioning.FLEX_START
        && progress.filter(Progress.Pending.class::isInstance).isPresent()
        && machine(worker).filter(m -> m.status() == CloudMachine.Status.QUEUED).isPresent();
  }

  private Optional<CloudMachine> machine(Worker worker) {
    return context
        .fleet()
        .find(WorkerTransitions.machineName(worker))
        .filter(cloudMachine -> WorkerTransitions.isMachineOf(cloudMachine, worker));
  }

  /** Only the machine itself decides: an operation may be slow while its machine is alive. */
  private Optional<VersionedDocument<Worker>> overdue(
      Cluster cluster,
      VersionedDocument<Worker> storedWorker,
      WorkerState.Booting state,
      boolean pending,
      Instant now) {
    var worker = storedWorker.value();
    var machine = machine(worker);
    if (machine.isEmpty() && !pending && FlexStart.since(worker).isPresent())
      return launchFailures.handle(cluster, storedWorker, REQUEST_ENDED, true);
    if (machine.isEmpty() && !pending)
      return workerTransitions.apply(storedWorker, new WorkerEvent.MachineMissing(now, true));
    var status = machine.map(CloudMachine::status);
    if (status.filter(CloudMachine.Status.QUEUED::equals).isPresent())
      return workerTransitions.apply(storedWorker, new WorkerEvent.Queued(now, QUEUED));
    var deadline = now.plus(context.timings().bootDeadline());
    if (state.queue().isPresent())
      return workerTransitions.apply(storedWorker, new WorkerEvent.Granted(now, deadline));
    var longest = BootTime.longest(worker, context.timings().bootDeadline());
    var patient = state.since().plus(longest).isAfter(now);
    var notStarted = machine.filter(m -> m.status() != CloudMachine.Status.STARTING).isEmpty();
    var hosts = hostsUntil(worker, state);
    if (hosts.filter(now::isBefore).isPresent())
      return workerTransitions.apply(storedWorker, new WorkerEvent.StillStarting(now, hosts.get()));
    if (pending && notStarted && patient)
      return workerTransitions.apply(storedWorker, new WorkerEvent.StillStarting(now, deadline));
    var started = status.filter(CloudMachine.Status.RUNNING::equals).isPresent();
    launchFailures.neverBooted(cluster, worker, started);
    return workerTransitions.apply(
        storedWorker,
        new WorkerEvent.DeclaredLost(now, FailureCause.LOST, BootTime.never(worker, started, now)));
  }

  /** Until when the hosts of a slice are awaited once one of them has reported. */
  private Optional<Instant> hostsUntil(Worker worker, WorkerState.Booting state) {
    if (!SliceHosts.isMultiHost(worker)) return Optional.empty();
    return SliceHosts.arrivals(worker, SliceHosts.reported(context.ledger(), worker))
        .until(state, context.timings().hostsAwaited());
  }

  /**
   * Gives up a slice some of whose hosts are missing, although others have reported long ago; empty
   * if it has none, or they may still come.
   *
   * <p>While the control plane is away no host can report. So the first check after their time, and
   * each one that comes late itself, awaits them once more.
   */
  private Optional<WorkerEvent> missingHosts(
      Worker worker, WorkerState.Booting state, Instant now) {
    if (!SliceHosts.isMultiHost(worker)) return Optional.empty();
    var awaited = context.timings().hostsAwaited();
    if (now.isBefore(state.since().plus(awaited))) return Optional.empty();
    var arrivals = SliceHosts.arrivals(worker, SliceHosts.reported(context.ledger(), worker));
    return arrivals
        .until(state, awaited)
        .filter(until -> !now.isBefore(until) && !arrivals.missing().isEmpty())
        .map(until ->
            state.hostsUntil().isEmpty() || now.isAfter(until.plus(ONCE_MORE))
                ? new WorkerEvent.HostsAwaited(now, now.plus(ONCE_MORE))
                : new WorkerEvent.DeclaredLost(
                    now,
                    FailureCause.LOST,
                    missing(arrivals, arrivals.first().orElseThrow(), now)));
  }

  private static String missing(HostArrivals arrivals, Instant first, Instant now) {
    return "host%s %s of %d did not report within %s of the first"
        .formatted(
            arrivals.missing().size() == 1 ? "" : "s",
            arrivals.missing().stream().map(String::valueOf).collect(Collectors.joining(", ")),
            arrivals.hosts(),
            HumanDuration.between(first, now));
  }

  /**
   * Past a deadline set by the cloud's notice, the tasks count as preempted. Past another one the
   * tasks are killed, and their agent stores what they left.
   */
  private Optional<VersionedDocument<Worker>> draining(
      VersionedDocument<Worker> storedWorker, WorkerState.Draining state, Instant now) {
    var noticed = storedWorker.value().notice().isPresent();
    var storing = noticed ? Duration.ZERO : context.timings().storeTime();
    if (state.deadline().plus(storing).isAfter(now)) return Optional.of(storedWorker);
    var event =
        noticed
            ? new WorkerEvent.DeclaredLost(now, FailureCause.PREEMPTED, state.reason())
            : new WorkerEvent.DeadlinePassed(now);
    return workerTransitions.apply(storedWorker, event);
  }
}
