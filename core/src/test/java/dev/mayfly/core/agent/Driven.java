package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.START;
import static dev.mayfly.core.agent.Fixtures.output;

import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** An agent in virtual time: events by hand, effects collected until they are taken. */
final class Driven {
  final List<AgentEffect> effects = new ArrayList<>();
  private final Agent agent;
  private JobSheet sheet;
  private Clocks now = START;
  private long alarm = Long.MAX_VALUE;
  private SyncReport report;
  private long answered;
  private long sentAt;
  private Optional<List<SyncOrders.Lease>> standing = Optional.empty();

  Driven(MachineSheet machine, JobSheet sheet) {
    this(machine, sheet, AgentSettings.DEFAULT);
  }

  Driven(MachineSheet machine, JobSheet sheet, AgentSettings settings) {
    this.sheet = sheet;
    agent = new Agent(machine, Fixtures.INCARNATION, settings, new Random(1), now);
    on(new AgentEvent.Started(List.of()));
  }

  Clocks now() {
    return now;
  }

  Driven on(AgentEvent event) {
    for (var effect : agent.on(event, now)) {
      effects.add(effect);
      if (effect instanceof AgentEffect.WakeAt at) alarm = at.monotonicNanos();
      if (effect instanceof AgentEffect.Sync sync) {
        report = sync.report();
        sentAt = now.monotonicNanos();
      }
    }
    return this;
  }

  /**
   * Lets time pass, with every alarm on its way, and every answer while the control plane is {@link
   * #served}.
   */
  Driven after(Duration time) {
    var until = now.plus(time);
    while (Math.min(alarm, answerAt()) <= until.monotonicNanos()) {
      var at = Math.min(alarm, answerAt());
      now = now.plus(Duration.ofNanos(Math.max(0, at - now.monotonicNanos())));
      if (at < alarm) {
        orders(standing.orElseThrow().toArray(SyncOrders.Lease[]::new));
      } else {
        alarm = Long.MAX_VALUE;
        on(new AgentEvent.Woke());
      }
    }
    now = until;
    return this;
  }

  /**
   * From now on each call is answered with these orders, 5 ms after it came or when it has waited.
   */
  Driven served(SyncOrders.Lease... orders) {
    standing = Optional.of(List.of(orders));
    return this;
  }

  private long answerAt() {
    if (standing.isEmpty() || report.seq() == answered) return Long.MAX_VALUE;
    return sentAt + Math.max(5_000_000L, report.waitSeconds() * 1_000_000_000L);
  }

  Driven millis(long millis) {
    return after(Duration.ofMillis(millis));
  }

  /** The wall clock goes on and the monotonic clock does not. */
  Driven suspended(Duration time) {
    now = new Clocks(now.wall().plus(time), now.monotonicNanos());
    return this;
  }

  SyncReport report() {
    return report;
  }

  SyncReport.Lease lease(long start) {
    return report.leases().stream().filter(l -> l.ref().start() == start).findFirst().orElseThrow();
  }

  /** Answers the newest sync. */
  Driven orders(SyncOrders.Lease... leases) {
    return orders(Optional.empty(), false, leases);
  }

  Driven drain(Instant deadline, SyncOrders.Lease... leases) {
    return orders(Optional.of(deadline), false, leases);
  }

  Driven fence() {
    return orders(Optional.empty(), true);
  }

  private Driven orders(Optional<Instant> drain, boolean fenced, SyncOrders.Lease... leases) {
    if (report.seq() == answered) throw new IllegalStateException("no sync waits for an answer");
    answered = report.seq();
    var due = now.wall().plusSeconds(40);
    return on(
        new AgentEvent.OrdersCame(
            new SyncOrders(
                report.seq(),
                now.wall(),
                due,
                List.of(leases),
                List.of(sheet),
                drain,
                fenced,
                List.of())));
  }

  /** Lets time pass while the control plane is {@link #served}. */
  Driven heardFor(Duration time, SyncOrders.Lease... leases) {
    served(leases).after(time);
    standing = Optional.empty();
    return this;
  }

  /** From now on orders come with this sheet. */
  Driven told(JobSheet next) {
    sheet = next;
    return this;
  }

  Driven syncFails() {
    answered = report.seq();
    return on(new AgentEvent.SyncFailed(report.seq(), "away"));
  }

  /** Orders, and a survey that finds nothing done. */
  Driven granted(SyncOrders.Lease... leases) {
    orders(leases);
    for (var lease : leases) nothingDone(lease.ref().start());
    return this;
  }

  Driven nothingDone(long start) {
    return on(new AgentEvent.Surveyed(Fixtures.lease(start), Bits.none(start), Bits.none(start)));
  }

  Driven exits(Attempt attempt, int code) {
    return on(new AgentEvent.Exited(attempt, code, Cause.USER, "last words"));
  }

  /** From exit code 0 to the sentinel, with nothing in the way. */
  Driven succeeds(Attempt attempt) {
    exits(attempt, 0);
    on(new AgentEvent.Uploaded(attempt, output(attempt)));
    return sealed(attempt);
  }

  Driven sealed(Attempt attempt) {
    return on(
        new AgentEvent.Sealed(
            attempt, Sentinel.by(output(attempt).sentinel("w1", now.wall()).metadata())));
  }

  /** The effects of one kind since the last call, taken. */
  <E extends AgentEffect> List<E> take(Class<E> kind) {
    var some = effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    effects.removeAll(some);
    return some;
  }

  List<Long> started() {
    return take(AgentEffect.Start.class).stream().map(s -> s.attempt().index()).toList();
  }

  List<Long> killed() {
    return take(AgentEffect.Kill.class).stream().map(k -> k.attempt().index()).toList();
  }

  /** How many syncs began since the last call. */
  int syncs() {
    return take(AgentEffect.Sync.class).size();
  }
}
