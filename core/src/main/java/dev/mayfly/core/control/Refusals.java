package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Plan;
import dev.mayfly.core.plan.Stock;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.worker.WorkerEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What follows from a cloud's refusal to make a machine: it is believed after a look, and
 * remembered.
 */
final class Refusals {
  /** Refusals within this are one: a round that asks for a hundred machines learns one thing. */
  private static final Duration ONE = Duration.ofSeconds(30);

  private final Ports ports;
  private final Lives lives;
  private final CallQuota calls;

  Refusals(Ports ports, Lives lives) {
    this.ports = ports;
    this.lives = lives;
    calls = lives.calls();
  }

  /**
   * The worker as it is then.
   *
   * @param ended whether the order is over, so that asking again would need another order
   */
  Optional<Stored<Worker>> take(
      Cluster cluster, Stored<Worker> stored, Refusal refusal, boolean ended) {
    if (refusal.kind() == Refusal.Kind.RATE) tooFast(stored.value());
    var later =
        switch (refusal.kind()) {
          case RATE, TRANSIENT -> true;
          case CAPACITY, QUOTA, INVALID, DENIED -> false;
        };
    if (later && !ended) return Optional.of(stored);
    var worker = stored.value();
    var now = ports.clock().instant();
    var there = ports.fleet().find(Lives.machine(worker));
    if (there.isPresent() && Lives.isOf(there.get(), worker))
      return lives.tell(stored, new WorkerEvent.MachineSeen(now));
    if (there.isEmpty()) remember(cluster, worker, refusal);
    var reason = "%s: %s".formatted(refusal.code(), refusal.message());
    return lives.tell(stored, new WorkerEvent.Refused(now, reason), Optional.of("refused"));
  }

  private void remember(Cluster cluster, Worker worker, Refusal refusal) {
    switch (refusal.kind()) {
      case CAPACITY -> remember(worker.zone(), kind(worker), refusal, 1);
      case QUOTA -> remember(Stock.region(worker.zone()), kind(worker), refusal, 1);
      // Only a person can mend it: it weighs double, so that the pool rests for ten minutes.
      case INVALID, DENIED ->
          remember(worker.zone(), Stock.ofPool(cluster, worker.pool()), refusal, 2);
      // Whatever it is, an order came to nothing: a few times that is nobody's business.
      case TRANSIENT -> remember(worker.zone(), Stock.unclear(worker.machineType()), refusal, 1);
      case RATE -> {}
    }
  }

  private static String kind(Worker worker) {
    return Stock.kind(worker.provisioning(), worker.machineType());
  }

  /** Whether the cloud has said of late that calls for such a machine come too fast. */
  boolean restingFor(Worker worker) {
    return !calls.allows(Lives.machine(worker), ports.clock().instant());
  }

  /** Only saves time: where the alarm rings late or never, the next tick orders them again. */
  private void tooFast(Worker worker) {
    calls
        .spent(Lives.machine(worker), ports.clock().instant())
        .ifPresent(open ->
            ports
                .alarms()
                .at(
                    open,
                    () ->
                        Hints.send(
                            ports.bus(), Hint.Look.worker(worker.cluster(), worker.name()))));
  }

  /**
   * A machine of the pool could run no task and ends for that.
   *
   * @param lacks what it said of itself
   */
  void unfit(Cluster cluster, Worker worker, String lacks) {
    // When it spoke is the same for each repeat, and differs from machine to machine.
    var at = worker.firstSyncAt().orElse(worker.createdAt());
    once(Stock.UNFIT, Stock.ofPool(cluster, worker.pool()), lacks, at);
  }

  /** The zone had a part of a gang and not the rest. */
  void lacksGang(Cluster cluster, Plan.GaveUp gaveUp) {
    var pool = cluster.spec().pool(gaveUp.pool());
    if (pool.isEmpty()) return;
    var kind = Stock.kind(pool.get().provisioning(), pool.get().machineType());
    once(gaveUp.zone(), Stock.ofGang(gaveUp.gang(), kind), "GANG", ports.clock().instant());
  }

  private void once(String place, String what, String code, Instant at) {
    new Remembered(ports.ledger()).once(place, what, code, at);
  }

  private void remember(String place, String what, Refusal refusal, int times) {
    var now = ports.clock().instant();
    var memory = new Remembered(ports.ledger());
    var seen = memory.seen(place, what);
    if (!seen.isEmpty() && seen.getLast().plus(ONE).isAfter(now)) return;
    for (var i = 0; i < times; i++) seen.add(now);
    ports.ledger().commit(List.of(Remembered.put(place, what, refusal.code(), seen)));
  }
}
