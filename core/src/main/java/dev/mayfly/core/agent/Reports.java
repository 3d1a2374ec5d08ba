package dev.mayfly.core.agent;

import dev.mayfly.core.model.FreeRoom;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Writes the report of a sync: all that the agent is and does. */
final class Reports {
  private final Moment moment;
  private final MachineSheet machine;
  private final Incarnation incarnation;
  private final LeaseBook book;
  private final Dispatch dispatch;
  private final Departure departure;
  private final Paces paces;
  private final Troubles troubles;
  private Supplier<Resources> total;
  private Supplier<List<SyncReport.Pulled>> images = List::of;
  private List<SyncReport.BootStep> boot = List.of();

  Reports(
      Moment moment,
      MachineSheet machine,
      Incarnation incarnation,
      LeaseBook book,
      Dispatch dispatch,
      Departure departure,
      Paces paces,
      Troubles troubles) {
    this.moment = moment;
    this.machine = machine;
    this.incarnation = incarnation;
    this.book = book;
    this.dispatch = dispatch;
    this.departure = departure;
    this.paces = paces;
    this.troubles = troubles;
    this.total = machine::visible;
  }

  /** What tasks may use here, once it is known. */
  void offers(Supplier<Resources> amounts) {
    total = amounts;
  }

  /** What tags of images named here. */
  void pulled(Supplier<List<SyncReport.Pulled>> all) {
    images = all;
  }

  void booted(List<SyncReport.BootStep> steps) {
    boot = steps;
  }

  SyncReport write(long seq, Duration waiting) {
    var leaving = departure.leaving();
    var room = leaving ? FreeRoom.of(Resources.ZERO) : dispatch.room();
    return new SyncReport(
        machine.cluster(),
        machine.worker(),
        moment.settings.host(),
        incarnation,
        machine.nonce(),
        seq,
        total.get(),
        room.amounts(),
        leaving ? Map.of() : dispatch.appetite(),
        leases(),
        book.knows(),
        boot,
        departure.notice(),
        departure.drained(),
        (int) waiting.toSeconds(),
        dispatch.trouble().or(troubles::newest),
        gang(),
        images.get(),
        dispatch.gpus(room));
  }

  /** Those that are over tell their failures first, and are gone from the next report. */
  private List<SyncReport.Lease> leases() {
    var some = book.all().stream().filter(l -> l.gang().isEmpty()).toList();
    var telling = new HashSet<HeldLease>();
    var sum = 0;
    for (var over : List.of(true, false))
      for (var lease : some) {
        if (lease.released() != over) continue;
        if (sum > 0 && sum + lease.failures() > SyncReport.FAILURES) continue;
        sum += lease.failures();
        telling.add(lease);
      }
    return some.stream().map(l -> l.report(telling.contains(l))).toList();
  }

  private List<HostReport> gang() {
    var host = new HostId(machine.worker(), moment.settings.host());
    return book.all().stream()
        .flatMap(l ->
            l
                .gang()
                .map(p -> p.member().report(l.ref, host, incarnation, moment.settings.address()))
                .stream())
        .toList();
  }

  /**
   * For how long a call may be kept waiting: in whole seconds, and not past the next task's end.
   * While there is work to lose that is a beat at most: then the call is given up before anybody
   * could take its silence for the machine's.
   *
   * @param failing whether the last call failed: the next one is only to reach anybody
   */
  Duration waiting(boolean failing) {
    if (failing) return Duration.ZERO;
    var times = moment.settings.sync();
    var most = book.isEmpty() ? times.waiting() : times.busyWaiting();
    if (departure.awaited() || (departure.leaving() && book.atWork())) return Duration.ZERO;
    for (var lease : book.all()) {
      // Whoever waits for others is told by the answer to a waiting call.
      if (lease.gang().isPresent()) continue;
      for (var run : lease.runs.values()) {
        var left = leftOf(run);
        if (left.compareTo(most) < 0) most = left;
      }
    }
    var whole = Duration.ofSeconds(most.toSeconds());
    // With nothing queued a short wait costs nothing and brings new work sooner.
    var hungry =
        book.left() == 0 && moment.settings.sync().waiting().compareTo(Duration.ofSeconds(1)) >= 0;
    return whole.isZero() && hungry ? Duration.ofSeconds(1) : whole;
  }

  /**
   * What a task has left to run by the mean of its job; one that is past it, half of what it ran
   * already.
   */
  private Duration leftOf(TaskRun run) {
    if (!run.state().onMachine()) return Duration.ZERO;
    var pace = paces.of(run.attempt.lease().job());
    if (pace.isEmpty()) return moment.settings.sync().waiting();
    var ran = moment.now().monotonicSince(run.began);
    var left = pace.get().mean().minus(ran);
    var half = ran.dividedBy(2);
    return left.compareTo(half) > 0 ? left : half;
  }
}
