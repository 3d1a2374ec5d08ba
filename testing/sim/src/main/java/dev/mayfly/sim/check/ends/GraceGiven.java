package dev.mayfly.sim.check.ends;

import dev.mayfly.core.agent.loop.StopReason;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.observation.EndOrder;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * S6: no end without the grace. A process is killed only after it was asked to end and has had its
 * job's grace, unless its machine vanished, its lease is another worker's by now, or a fault struck
 * its worker. After the storm this holds also where the cloud deletes a machine at the end of its
 * life.
 */
public final class GraceGiven implements Invariant {
  /** The lease is another's, or another host of the gang failed. */
  private static final Set<StopReason> FENCED = EnumSet.of(StopReason.REVOKED, StopReason.GANG);

  /** From the end of the faults until every machine's end is planned as ever. */
  private static final Duration SETTLED = Duration.ofMinutes(15);

  private final GroundTruth groundTruth;
  private final Duration memory;
  private final Map<String, Instant> until = new TreeMap<>();
  private Optional<Instant> calm = Optional.empty();

  public GraceGiven(GroundTruth groundTruth, Duration memory) {
    this.groundTruth = groundTruth;
    this.memory = memory;
  }

  /** Faults have ended. */
  public void faultsEnded() {
    calm = Optional.of(groundTruth.now());
  }

  @Override
  public void endOrdered(EndOrder order) {
    var process = order.process();
    var now = groundTruth.now();
    if (FENCED.contains(order.reason())) return;
    if (order.grace().isZero() && !order.due().isZero()) checkAsked(process, "is to be killed");
    else if (order.grace().compareTo(least(order.due())) < 0
        && !until.containsKey(process.toString()))
      check(process, "has " + order.grace() + " of its " + order.due());
    if (!order.grace().isZero())
      until.putIfAbsent(process.toString(), now.plus(least(order.grace())));
  }

  /**
   * A host's clock may be fast by 500 ppm, and what it counts down to is rounded. While others act
   * amid a call, its agent looks at no clock.
   */
  private static Duration least(Duration grace) {
    return grace.multipliedBy(998).dividedBy(1_000).minus(Fault.AMID_CALL);
  }

  @Override
  public void ended(TaskProcess process) {
    until.remove(process.toString());
  }

  /** By Mayfly: a worker that was given up for its own plan. */
  @Override
  public void deleteAsked(SimMachine machine) {
    var ends =
        groundTruth
            .worker(
                machine.labels().getOrDefault(CloudMachine.CLUSTER, ""),
                machine.labels().getOrDefault(CloudMachine.WORKER, ""))
            .filter(w ->
                w.state() instanceof WorkerState.Draining
                    || (w.state() instanceof WorkerState.Lost lost
                        && lost.cause().budget() == FailureCause.Budget.PLATFORM))
            .isPresent();
    if (ends) processes(machine).forEach(p -> checkAsked(p, "is on a machine to be deleted"));
  }

  @Override
  public void expired(SimMachine machine) {
    if (calm.filter(at -> at.plus(SETTLED).isBefore(groundTruth.now())).isEmpty()) return;
    processes(machine).forEach(p -> checkAsked(p, "is on a machine whose life is over"));
  }

  private Iterable<TaskProcess> processes(SimMachine machine) {
    return groundTruth.running().stream().filter(p -> p.worker().equals(machine.name().name()))
        ::iterator;
  }

  private void checkAsked(TaskProcess process, String what) {
    var asked = until.get(process.toString());
    if (asked == null || asked.isAfter(groundTruth.now())) check(process, what);
  }

  private void check(TaskProcess process, String what) {
    if (excused(process.worker())) return;
    throw new InvariantViolation(
        "S6", process + " " + what + " without its grace; asked: " + until.get(process.toString()));
  }

  private boolean excused(String worker) {
    return groundTruth.unreachable(memory)
        || groundTruth.inTrouble(worker)
        || groundTruth
            .troubledAt(worker)
            .filter(at -> at.plus(memory).isAfter(groundTruth.now()))
            .isPresent()
        || groundTruth.all(Worker.class).stream()
            .filter(w -> w.name().equals(worker))
            .anyMatch(w -> groundTruth.disturbed(w.cluster(), memory));
  }
}
