package dev.mayfly.core.control;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Bus;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Schedule;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * All that the control plane asks of the world.
 *
 * @param clock read to the microsecond, as the ledger keeps times: a document that was written here
 *     equals the one that another instance reads
 */
public record Ports(
    Ledger ledger,
    Bus bus,
    Fleet fleet,
    Objects objects,
    Codec codec,
    Alarms alarms,
    Schedule schedule,
    Ids ids,
    InstantSource clock) {
  /** The same with another view of the ledger. */
  Ports on(Ledger other) {
    return new Ports(other, bus, fleet, objects, codec, alarms, schedule, ids, clock);
  }

  public Ports {
    var exact = clock;
    clock = () -> exact.instant().truncatedTo(ChronoUnit.MICROS);
  }
}
