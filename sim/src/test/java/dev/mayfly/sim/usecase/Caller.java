package dev.mayfly.sim.usecase;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

/** Speaks as an agent, and believes what it is told; a test decides what it says it did. */
final class Caller {
  final Lab lab;
  final String name;
  Control desk;
  Incarnation incarnation;
  String nonce;

  /** Which host of a slice it is. */
  int host;

  long seq;
  Resources total = Resources.cpu(2, 8L << 30);
  Resources room = total;
  Map<String, Long> appetite = Map.of();
  Optional<Instant> notice = Optional.empty();
  boolean drained;
  int wait = 25;
  List<SyncReport.Pulled> images = List.of();

  /** What it says of its leases at its next call. */
  final Map<LeaseRef, SyncReport.Lease> leases = new LinkedHashMap<>();

  /** The hashes of the sheets that it was given. */
  final Set<String> knows = new LinkedHashSet<>();

  /** Every answer, in its order. */
  final List<SyncOrders> answers = new ArrayList<>();

  Caller(Lab lab, String name, Instant start) {
    this.lab = lab;
    this.name = name;
    desk = lab.control;
    nonce = "nonce-" + name;
    incarnation = new Incarnation("i-" + name, "boot", start);
  }

  SyncReport report() {
    return new SyncReport(
        lab.uid,
        name,
        host,
        incarnation,
        nonce,
        ++seq,
        total,
        room,
        appetite,
        List.copyOf(leases.values()),
        List.copyOf(knows),
        List.of(),
        notice,
        drained,
        wait,
        Optional.empty(),
        List.of(),
        images);
  }

  /** Calls; the answer comes to {@link #answers} now or later. */
  Caller call() {
    return call(report());
  }

  Caller call(SyncReport report) {
    desk.desk().sync(report, this::answered);
    return this;
  }

  /** Calls and waits until it is answered. */
  SyncOrders ask() {
    var before = answers.size();
    call();
    for (var i = 0; i < 300 && answers.size() == before; i++) lab.pass(100);
    return answers.getLast();
  }

  private void answered(SyncOrders orders) {
    answers.add(orders);
    if (orders.fenced()) return;
    orders.specs().forEach(s -> knows.add(s.hash()));
    var named = orders.leases().stream().map(SyncOrders.Lease::ref).toList();
    leases.keySet().retainAll(named);
    for (var lease : orders.leases()) {
      var had = Optional.ofNullable(leases.get(lease.ref()));
      leases.put(
          lease.ref(),
          had.map(h -> with(h, lease.end(), h.done(), h.failed(), h.released()))
              .orElseGet(() -> fresh(lease)));
    }
    room = total.minus(Resources.cpu(1, 1L << 30).times(Math.min(2, leases.size())));
  }

  private static SyncReport.Lease fresh(SyncOrders.Lease lease) {
    var none = Bits.none(lease.ref().start());
    return new SyncReport.Lease(
        lease.ref(), lease.end(), none, List.of(), List.of(), lease.ref().start(), false);
  }

  private static SyncReport.Lease with(
      SyncReport.Lease l, long end, Bits done, List<Failure> failed, boolean released) {
    return new SyncReport.Lease(l.ref(), end, done, failed, l.running(), l.cursor(), released);
  }

  /** These tasks of its leases are done. */
  void did(LongPredicate which) {
    leases.replaceAll((ref, l) ->
        with(l, l.end(), Bits.where(ref.start(), l.end(), which), l.failed(), l.released()));
  }

  /** The task failed, by the user's fault. */
  void failed(long index) {
    leases.replaceAll((ref, l) -> {
      if (index < ref.start() || index >= l.end()) return l;
      var failures = new ArrayList<>(l.failed());
      failures.add(new Failure(index, ref.attempt(), Cause.USER, 1, "no", name, lab.now()));
      return with(l, l.end(), l.done(), failures, l.released());
    });
  }

  void running(Long... indexes) {
    leases.replaceAll((ref, l) ->
        new SyncReport.Lease(
            ref, l.end(), l.done(), l.failed(), List.of(indexes), l.cursor(), l.released()));
  }

  /** It gives everything back. */
  void release() {
    room = total;
    leases.replaceAll((ref, l) -> with(l, l.end(), l.done(), l.failed(), true));
  }

  /** All its tasks are done, and it says so. */
  SyncOrders finish() {
    did(i -> true);
    release();
    return ask();
  }

  /** The agent of another host of its slice. */
  Caller beside(int index) {
    var other = new Caller(lab, name, incarnation.agentStart());
    other.host = index;
    other.incarnation =
        new Incarnation("i-" + name + "-" + index, "boot-" + index, incarnation.agentStart());
    return other;
  }

  /** Its agent has been there since then. */
  void began(Instant at) {
    incarnation = new Incarnation(incarnation.instanceId(), incarnation.bootId(), at);
  }

  /** Its agent begins anew. */
  Caller restarted() {
    var next = new Caller(lab, name, lab.now());
    next.incarnation = new Incarnation(incarnation.instanceId(), incarnation.bootId(), lab.now());
    next.host = host;
    return next;
  }

  SyncOrders last() {
    return answers.getLast();
  }

  List<LeaseRef> held() {
    return List.copyOf(leases.keySet());
  }
}
