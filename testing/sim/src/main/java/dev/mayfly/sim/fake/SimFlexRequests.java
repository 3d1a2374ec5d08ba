package dev.mayfly.sim.fake;

import dev.mayfly.core.catalog.FlexStart;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.sim.engine.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Requests by flex-start for which a zone has no machine: each waits until it has one, for two
 * hours at most.
 */
final class SimFlexRequests {
  /** How soon a machine that is free is given to a request. */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final SimFleet fleet;
  private final SimTime time;
  private final SimStock stock;
  private final SimRefusals refusals;

  SimFlexRequests(SimFleet fleet, SimTime time, SimStock stock, SimRefusals refusals) {
    this.fleet = fleet;
    this.time = time;
    this.stock = stock;
    this.refusals = refusals;
  }

  private record Kept(
      Order order, SimMachine machine, String operation, Instant end, Refusal refusal) {}

  /** Whether the order waits in the place of that refusal. */
  static boolean keeps(Order order, Refusal refusal) {
    return order.pool().provisioning() == Provisioning.FLEX_START
        && refusal.kind() == Refusal.Kind.CAPACITY;
  }

  /**
   * @param refusal how the request ends if no machine comes
   */
  Ordered keep(Order order, Refusal refusal) {
    var operation = fleet.operation(order);
    var machine = fleet.add(order, false);
    machine.visible = true;
    machine.waiting = true;
    machine.shown = CloudMachine.Status.QUEUED;
    var end = time.instant().plus(FlexStart.WAIT);
    fleet.put(operation, new SimFleet.Operation(end, Optional.of(refusal)));
    var kept = new Kept(order, machine, operation, end, refusal);
    time.after(LOOK, () -> look(kept));
    return new Ordered.Accepted(operation);
  }

  private void look(Kept kept) {
    var machine = kept.machine;
    if (machine.gone || machine.deleting) return;
    var zone = machine.name().zone();
    var pool = SimFleet.pool(machine);
    if (stock.has(pool, zone) && stock.allows(zone)) {
      stock.take(pool, zone);
      machine.waiting = false;
      machine.shown = CloudMachine.Status.STARTING;
      fleet.grant(kept.order, machine, kept.operation);
    } else if (time.instant().isBefore(kept.end)) time.after(LOOK, () -> look(kept));
    else {
      refusals.add(kept.order, kept.refusal, kept.end);
      fleet.vanish(machine);
    }
  }
}
