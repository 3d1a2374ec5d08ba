package dev.mayfly.core.state;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.port.TriggerBus;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * What the control plane works with: its ports and its times.
 *
 * @param clock truncated to microseconds, the ledger's precision, so that a document written here
 *     equals the one that another instance reads
 */
public record Context(
    Ledger ledger,
    TriggerBus bus,
    NotificationTopic notifications,
    Fleet fleet,
    ObjectStore objects,
    Codec codec,
    ScheduledExecutor executor,
    TickScheduler schedule,
    IdGenerator ids,
    InstantSource clock,
    Timings timings) {
  public Context {
    if (!(clock instanceof Micros)) clock = new Micros(clock);
  }

  /** A clock with the ledger's precision. */
  private record Micros(InstantSource exact) implements InstantSource {
    @Override
    public Instant instant() {
      return exact.instant().truncatedTo(ChronoUnit.MICROS);
    }
  }

  /** An event record of this moment, with an id of its own. */
  public EventRecord event(String cluster, String about, String what, String why) {
    return event(cluster, clock.instant(), about, what, why);
  }

  /** The same of another moment. */
  public EventRecord event(String cluster, Instant at, String about, String what, String why) {
    var id = EventRecord.newId(at, what, ids.next(20));
    return new EventRecord(cluster, id, at, about, what, why);
  }

  public Context with(Ledger other) {
    return new Context(
        other, bus, notifications, fleet, objects, codec, executor, schedule, ids, clock, timings);
  }

  public Context with(NotificationTopic other) {
    return new Context(
        ledger, bus, other, fleet, objects, codec, executor, schedule, ids, clock, timings);
  }

  public Context with(Fleet other) {
    return new Context(
        ledger, bus, notifications, other, objects, codec, executor, schedule, ids, clock, timings);
  }

  public Context with(ScheduledExecutor other) {
    return new Context(
        ledger, bus, notifications, fleet, objects, codec, other, schedule, ids, clock, timings);
  }

  public Context with(Timings other) {
    return new Context(
        ledger, bus, notifications, fleet, objects, codec, executor, schedule, ids, clock, other);
  }
}
