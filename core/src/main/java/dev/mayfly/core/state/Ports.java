package dev.mayfly.core.state;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.port.TriggerBus;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The control plane's ports.
 *
 * @param clock truncated to microseconds, the ledger's precision, so that a document written here
 *     equals the one that another instance reads
 */
public record Ports(
    Ledger ledger,
    TriggerBus bus,
    Fleet fleet,
    ObjectStore objects,
    Codec codec,
    Alarms alarms,
    TickScheduler schedule,
    IdGenerator ids,
    InstantSource clock) {
  /** The same with another view of the ledger. */
  public Ports on(Ledger other) {
    return new Ports(other, bus, fleet, objects, codec, alarms, schedule, ids, clock);
  }

  public Ports {
    var exact = clock;
    clock = () -> exact.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
