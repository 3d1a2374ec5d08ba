package dev.mayfly.core.control;

import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.SyncReport;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls that wait at one instance, and the last pulse that it heard: what its threads share.
 * Nothing here calls anybody while it is locked.
 */
final class Waiting {
  private final Hearing hearing;
  private final OrdersWriter orders;
  private final JobCache jobs;
  private final Map<String, Call> calls = new LinkedHashMap<>();
  private Pulse last;

  Waiting(String cluster, Hearing hearing, OrdersWriter orders, JobCache jobs) {
    this.hearing = hearing;
    this.orders = orders;
    this.jobs = jobs;
    last = new Pulse(cluster, Instant.EPOCH, Map.of());
  }

  /**
   * Whether a call waits now.
   *
   * @param waits false if it was overtaken itself
   * @param older the worker's call whose place it took
   */
  record Admitted(boolean waits, Optional<Call> older) {}

  /**
   * Lets the call wait, unless a newer one of its worker's does.
   *
   * @param changed when the worker was changed last, as far as was known before it was read
   */
  synchronized Admitted admit(Call call, Optional<Instant> changed) {
    var report = call.report;
    var older = Optional.ofNullable(calls.get(report.worker()));
    if (older.filter(o -> overtakes(o.report, report)).isPresent() || overtaken(call))
      return new Admitted(false, Optional.empty());
    calls.put(report.worker(), call);
    if (!changed.equals(changed(report.worker()))) call.stale();
    return new Admitted(true, older);
  }

  private static boolean overtakes(SyncReport waits, SyncReport late) {
    return waits.incarnation().equals(late.incarnation()) && waits.seq() > late.seq();
  }

  /** A newer call of the worker was written: what this one says of its room is old. */
  static boolean overtaken(Call call) {
    var worker = call.worker();
    return worker.seq() > call.report.seq()
        && worker.incarnation().filter(call.report.incarnation()::equals).isPresent();
  }

  /** When the last pulse said that the worker was changed. */
  synchronized Optional<Instant> changed(String worker) {
    return Optional.ofNullable(last.workers().get(worker));
  }

  synchronized List<Call> all() {
    return List.copyOf(calls.values());
  }

  synchronized boolean isEmpty() {
    return calls.isEmpty();
  }

  /** The call waits no more; false if a newer one of its worker's has taken its place. */
  synchronized boolean left(Call call) {
    return calls.remove(call.report.worker(), call);
  }

  /** A worker's document as it was written, unless somebody was heard to change it since. */
  synchronized void remember(Call call) {
    if (!call.isStale()) hearing.remember(call.stored());
  }

  /**
   * What a pulse says.
   *
   * @param work whether work appeared
   * @param changed whether workers whose calls wait here were changed; those calls are stale now
   */
  record Heard(boolean work, boolean changed) {}

  /** Forgets what a pulse says is old. */
  synchronized Heard hear(Pulse pulse) {
    // Two changes may carry one time, or come from clocks that differ: any change is news.
    var work = !pulse.work().equals(last.work()) || pulse.equals(last);
    var before = last.workers();
    last = pulse;
    var changed = false;
    for (var worker : pulse.workers().entrySet())
      if (!worker.getValue().equals(before.get(worker.getKey())))
        changed |= change(worker.getKey());
    return new Heard(work, changed);
  }

  private boolean change(String worker) {
    hearing.forget(worker);
    orders.forget(worker);
    jobs.forget();
    var call = Optional.ofNullable(calls.get(worker));
    call.ifPresent(Call::stale);
    return call.isPresent();
  }
}
