package dev.mayfly.core.control;

import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerHost;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.worker.WorkerEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Does for one worker what its stored state owes, and tells it what the cloud and the clock say.
 */
final class WorkerCare {
  /** An order younger than this may be somebody's who is still at it. */
  private static final Duration AT_IT = Duration.ofSeconds(10);

  /** However slow the cloud is: so many boot deadlines after its launch a machine is given up. */
  private static final int PATIENCE = 6;

  private final Ports ports;
  private final Rules rules;
  private final Lives lives;
  private final Launches launches;
  private final Refusals refusals;
  private final Gangs gangs;

  WorkerCare(Ports ports, Rules rules, Lives lives, Launches launches, Refusals refusals) {
    this.ports = ports;
    this.rules = rules;
    this.lives = lives;
    this.launches = launches;
    this.refusals = refusals;
    gangs = new Gangs(ports.ledger(), ports.bus(), ports.clock());
  }

  /**
   * Reports the worker's state to its gangs. Returns the worker afterwards; empty if it is gone, or
   * if another process changed it and the next round must look.
   */
  Optional<Stored<Worker>> lookAtGangs(Cluster cluster, Stored<Worker> stored) {
    if (stored.value().held().stream().noneMatch(Worker.Held::gang)) return Optional.of(stored);
    var bad = gangs.look(stored.value(), uid -> runs(cluster, uid));
    var after = ports.ledger().read(stored.value().key());
    if (after.isEmpty()) return after;
    // One that was given up already owes the end of its machine, whatever its host missed since.
    if (bad.isEmpty() || !mayBeGivenUp(after.get().value().state())) return after;
    var now = ports.clock().instant();
    return lives.tell(after.get(), new WorkerEvent.GivenUp(now, Cause.INFRASTRUCTURE, bad.get()));
  }

  private static boolean mayBeGivenUp(WorkerState state) {
    return state instanceof WorkerState.Ready || state instanceof WorkerState.Draining;
  }

  private boolean runs(Cluster cluster, String job) {
    var stored = ports.ledger().read(new Key.OfJob(cluster.uid(), job));
    return stored.map(s -> s.value().running()).orElse(false);
  }

  /**
   * Makes the cloud calls that the worker's state requires. Returns the worker afterwards; empty if
   * it is gone, or if another process changed it and the next round must look.
   */
  Optional<Stored<Worker>> look(Cluster cluster, Stored<Worker> stored) {
    var now = ports.clock().instant();
    remember(cluster, stored.value());
    return switch (stored.value().state()) {
      case WorkerState.Launching s ->
          s.since().plus(AT_IT).isAfter(now) ? Optional.of(stored) : launching(stored, now);
      case WorkerState.Booting s -> booting(cluster, stored, s, now);
      case WorkerState.Ready _ -> Optional.of(stored);
      case WorkerState.Draining s -> draining(stored, s, now);
      case WorkerState.Drained _, WorkerState.Lost _ ->
          lives.end(stored) ? Optional.empty() : Optional.of(stored);
      case WorkerState.Gone _ -> Optional.empty();
    };
  }

  /** What its end says about its pool; a repeat changes nothing. */
  private void remember(Cluster cluster, Worker worker) {
    var ends =
        worker.state() instanceof WorkerState.Draining
            || worker.state() instanceof WorkerState.Drained;
    if (ends && worker.notice().isEmpty() && worker.provisioning() != Provisioning.STATIC)
      worker.unfit().ifPresent(lacks -> refusals.unfit(cluster, worker, lacks));
  }

  private Optional<Stored<Worker>> launching(Stored<Worker> stored, Instant now) {
    var there = ports.fleet().find(Lives.machine(stored.value()));
    if (there.isPresent() && Lives.isOf(there.get(), stored.value()))
      return launches.adopt(stored, there.get());
    return lives.tell(stored, new WorkerEvent.DeadlinePassed(now));
  }

  /**
   * Orders the machine of an intent whose order nobody is at any more. It is done when the plan has
   * had its say: what is not needed any more is called off.
   */
  void orderAgain(Cluster cluster, Stored<Worker> stored) {
    var now = ports.clock().instant();
    if (!(stored.value().state() instanceof WorkerState.Launching s)
        || s.since().plus(AT_IT).isAfter(now)
        || refusals.restingFor(stored.value())) return;
    launches.again(stored).ifPresent(intent -> launches.order(cluster, intent));
  }

  private Optional<Stored<Worker>> booting(
      Cluster cluster, Stored<Worker> stored, WorkerState.Booting state, Instant now) {
    if (stored.value().provisioning() == Provisioning.STATIC)
      return lives.tell(stored, new WorkerEvent.DeadlinePassed(now));
    var progress =
        state.operation().isEmpty()
            ? Optional.<Progress>empty()
            : ports.fleet().progress(Lives.machine(stored.value()), state.operation());
    if (progress.isPresent() && progress.get() instanceof Progress.Failed failed)
      return refusals.take(cluster, stored, failed.refusal(), true);
    if (state.deadline().isAfter(now)) return Optional.of(stored);
    return overdue(stored, progress.filter(p -> p instanceof Progress.Pending).isPresent(), now);
  }

  /** Only a look decides: an operation may be slow while its machine is alive. */
  private Optional<Stored<Worker>> overdue(Stored<Worker> stored, boolean pending, Instant now) {
    var worker = stored.value();
    var there =
        ports.fleet().find(Lives.machine(worker)).filter(machine -> Lives.isOf(machine, worker));
    if (there.isEmpty() && !pending)
      return lives.tell(stored, new WorkerEvent.MachineMissing(now, true));
    var patient = worker.createdAt().plus(rules.bootDeadline().multipliedBy(PATIENCE)).isAfter(now);
    var making = there.filter(m -> m.status() != Machine.Status.STARTING).isEmpty();
    var hosts = hostsUntil(worker);
    if (hosts.filter(now::isBefore).isPresent())
      return lives.tell(stored, new WorkerEvent.StillStarting(now, hosts.get()));
    if (pending && making && patient)
      return lives.tell(stored, new WorkerEvent.StillStarting(now, now.plus(rules.bootDeadline())));
    return lives.tell(stored, new WorkerEvent.DeadlinePassed(now));
  }

  /**
   * Until when a slice's hosts are waited for, once one of them has spoken: they boot minutes
   * apart, and a slice that came late is not given up between the first and the last of them.
   */
  private Optional<Instant> hostsUntil(Worker worker) {
    if (!Hosts.several(worker)) return Optional.empty();
    var others = Hosts.heard(ports.ledger(), worker).stream().map(WorkerHost::firstSyncAt);
    return Stream.concat(worker.firstSyncAt().stream(), others)
        .min(Comparator.naturalOrder())
        .map(first -> first.plus(rules.lostAlone()));
  }

  /** Past a deadline that the cloud set by its notice, the tasks were preempted. */
  private Optional<Stored<Worker>> draining(
      Stored<Worker> stored, WorkerState.Draining state, Instant now) {
    if (state.deadline().isAfter(now)) return Optional.of(stored);
    var late =
        stored.value().notice().isPresent()
            ? new WorkerEvent.GivenUp(now, Cause.PREEMPTED, state.reason())
            : new WorkerEvent.DeadlinePassed(now);
    return lives.tell(stored, late);
  }
}
