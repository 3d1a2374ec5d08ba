package dev.mayfly.core.lifecycle;

import static java.time.Duration.ofSeconds;
import static java.util.Objects.requireNonNull;

import dev.mayfly.core.lifecycle.GangMembership.Action;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.gang.GangMember;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.gang.GangPhaseTimeouts;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.gang.GangRun;
import dev.mayfly.core.model.gang.GangTimeouts;
import dev.mayfly.core.model.worker.HostId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Two gangs on failing hosts, over a network that loses, delays and repeats. One seed, one trace.
 * Throws at the step that violates I16 (all or none run), I17 (no host in two) or I13 (it ends).
 */
final class GangSimulation {
  private static final int SIZE = 3;
  private static final int CALM = 900;
  private static final int END = 6_000;
  private static final GangPhaseTimeouts TIMES =
      new GangPhaseTimeouts(ofSeconds(90), ofSeconds(40), ofSeconds(60), ofSeconds(60));

  private record Later(long at, long number, Runnable what) {}

  private final Random random;
  private final GangMutant bug;
  private final GangLifecycle table = new GangLifecycle(TIMES);
  private final Map<HostId, GangSimulationHost> hosts = new LinkedHashMap<>();

  /** Given up, and perhaps alive. */
  private final Map<HostId, GangSimulationHost> leaving = new LinkedHashMap<>();

  private final Map<LeaseRef, GangRun> runs = new LinkedHashMap<>();
  private final List<LeaseRef> gangs = List.of(new LeaseRef("a", 0, 1), new LeaseRef("b", 0, 1));
  private final PriorityQueue<Later> later =
      new PriorityQueue<>(
          java.util.Comparator.comparingLong(Later::at).thenComparingLong(Later::number));
  private final HostsByRun prepared = new HostsByRun();
  private final HostsByRun exitedWell = new HostsByRun();
  private HostClaims hostClaims = HostClaims.NONE;
  private long now;
  private long number;
  private int made;
  int restarts;

  GangSimulation(long seed, GangMutant bug) {
    random = new Random(seed);
    this.bug = bug;
    for (var i = 0; i < 2 * SIZE - 1; i++) replace();
  }

  private void replace() {
    var id = new HostId("w" + ++made, 0);
    hosts.put(id, new GangSimulationHost(id, now));
  }

  void run() {
    while (!over()) {
      now++;
      if (now > END) throw new AssertionError("I13: no end; " + runs);
      while (!later.isEmpty() && later.peek().at() <= now) later.poll().what().run();
      for (var host : all()) live(host);
      for (var gang : gangs) checkDeadlines(gang);
      for (var host : List.copyOf(hosts.values())) watch(host);
    }
  }

  private List<GangSimulationHost> all() {
    return Stream.concat(hosts.values().stream(), leaving.values().stream()).toList();
  }

  private boolean over() {
    return gangs.stream()
        .allMatch(g -> runs.containsKey(g) && runs.get(g).phase() instanceof GangPhase.Done);
  }

  private Instant time() {
    return GangSamples.NOW.plusSeconds(now);
  }

  private boolean chance(double p) {
    return random.nextDouble() < p;
  }

  /** Faults that occur only before the storm is over. */
  private boolean strikes(double p) {
    return chance(p) && now < CALM;
  }

  private void after(int least, int most, Runnable what) {
    later.add(new Later(now + least + random.nextInt(most - least + 1), number++, what));
  }

  private void live(GangSimulationHost host) {
    if (!host.on) return;
    if (strikes(0.0008)) host.powerOff();
    if (strikes(0.0008)) host.frozen = true;
    if (host.frozen && chance(0.02)) host.frozen = false;
    if (!host.on || host.frozen) return;
    if (strikes(0.002)) host.restart();
    for (var process : List.copyOf(host.processes.values())) end(host, process);
    for (var gang : List.copyOf(host.gangMemberships.keySet())) act(host, gang);
    if (chance(0.3)) call(host);
  }

  private void end(GangSimulationHost host, GangSimulationHost.Process process) {
    if (process.endsAt() > now) return;
    host.processes.remove(process.lease().toString());
    if (process.exit() == 0) exitedWell.note(process.lease(), process.run(), host.id);
    var was = host.of(process.lease());
    if (was.run() == process.run())
      host.gangMemberships.put(process.lease(), was.exited(process.exit(), time()));
  }

  private void act(GangSimulationHost host, LeaseRef gang) {
    var member = host.of(gang);
    if (member.busy() == Action.NONE || host.busyUntil.getOrDefault(gang, 0L) > now) return;
    host.gangMemberships.put(
        gang,
        switch (member.busy()) {
          case PREPARE -> prepare(host, gang, member);
          case START -> start(host, gang, member);
          case PUBLISH -> publish(host, gang, member);
          case KILL -> {
            host.processes.remove(gang.toString());
            yield member.killed();
          }
          case NONE -> member;
        });
  }

  private GangMembership prepare(GangSimulationHost host, LeaseRef gang, GangMembership member) {
    if (strikes(0.05))
      return member.failed(
          new GangReport.Trouble(FailureCause.INFRASTRUCTURE, chance(0.5), "vfio is busy"));
    prepared.note(gang, member.run(), host.id);
    return member.prepared();
  }

  private GangMembership start(GangSimulationHost host, LeaseRef gang, GangMembership member) {
    var run = requireNonNull(runs.get(gang));
    var all = run.members().stream().map(GangMember::host).toList();
    if (run.number() == member.run() && !prepared.of(gang, member.run()).containsAll(all))
      throw new AssertionError("I16: " + host.id + " starts before all are prepared: " + run);
    for (var other : all())
      for (var process : other.processes.values()) {
        if (other == host)
          throw new AssertionError("I17: " + host.id + " has " + process + " and begins " + gang);
        if (process.lease().equals(gang) && process.run() != member.run())
          throw new AssertionError(
              "I16: run " + member.run() + " begins while " + process + " runs on " + other.id);
      }
    var exit = strikes(0.1) ? 1 : 0;
    var lasts = 5 + random.nextInt(50);
    host.processes.put(
        gang.toString(), new GangSimulationHost.Process(gang, member.run(), now + lasts, exit));
    return member.started();
  }

  private GangMembership publish(GangSimulationHost host, LeaseRef gang, GangMembership member) {
    var run = requireNonNull(runs.get(gang));
    var all = run.members().stream().map(GangMember::host).toList();
    if (run.number() == member.run()) {
      if (!all.getFirst().equals(host.id))
        throw new AssertionError("I16: " + host.id + " publishes and is not rank 0 of " + run);
      if (!exitedWell.of(gang, member.run()).containsAll(all))
        throw new AssertionError("I16: published before all ended with 0: " + run);
    }
    return member.published();
  }

  private void call(GangSimulationHost host) {
    if (strikes(0.1)) return;
    var agent = host.agent;
    var seq = ++host.seq;
    var reports = new LinkedHashMap<LeaseRef, GangReport>();
    for (var gang : gangs)
      reports.put(
          gang,
          host.of(gang)
              .report(gang, host.id, host.incarnation(), "at " + host.id, GangContact.NONE));
    after(0, now < CALM ? 6 : 1, () -> receive(host, agent, seq, reports));
    if (strikes(0.05)) after(1, 40, () -> receive(host, agent, seq, reports));
  }

  /** An overtaken report is answered but changes nothing. */
  private void receive(
      GangSimulationHost host, int agent, long seq, Map<LeaseRef, GangReport> reports) {
    if (seq > host.admitted) {
      host.admitted = seq;
      host.lastReport = now;
      reports.forEach((gang, r) -> apply(gang, new GangEvent.Reported(time(), r)));
    }
    if (strikes(0.1)) return;
    var orders = new ArrayList<GangOrder>();
    for (var run : runs.values()) run.order(host.id).ifPresent(orders::add);
    after(0, now < CALM ? 15 : 1, () -> ordered(host, agent, orders));
  }

  /** An answer reaches only the agent that asked, however late. */
  private void ordered(GangSimulationHost host, int agent, List<GangOrder> orders) {
    if (!host.on || host.agent != agent) return;
    for (var order : orders) {
      var was = host.of(order.lease());
      var next = bug.spoil(was, order);
      host.gangMemberships.put(order.lease(), next);
      if (next.busy() != was.busy())
        host.busyUntil.put(order.lease(), now + 1 + random.nextInt(strikes(0.03) ? 120 : 12));
    }
  }

  private void apply(LeaseRef gang, GangEvent event) {
    var run = runs.get(gang);
    if (run != null) runs.put(gang, bug.spoil(table.on(run, event), event));
  }

  private void checkDeadlines(LeaseRef gang) {
    apply(gang, new GangEvent.TimePassed(time()));
    var run = runs.get(gang);
    if (run == null) grant(gang, Optional.empty());
    else if (run.phase() instanceof GangPhase.Cleared) {
      hostClaims = hostClaims.release(run);
      grant(gang, Optional.of(run));
    } else if (run.phase() instanceof GangPhase.Done) hostClaims = hostClaims.release(run);
    if (run != null) run.bad().forEach(m -> remove(m.host()));
  }

  private void grant(LeaseRef gang, Optional<GangRun> before) {
    var free =
        hosts.values().stream()
            .filter(h -> h.admitted > 0 && now - h.lastReport < 15)
            .map(h -> h.id)
            .toList();
    var claimed = hostClaims.claim(gang, SIZE, free);
    if (claimed.isEmpty()) return;
    hostClaims = claimed.get().claims();
    if (before.isPresent()) restarts++;
    var members = claimed.get().hosts().stream().map(h -> GangMember.of(h, h.toString())).toList();
    var limits = new GangTimeouts(Duration.ofMinutes(10), ofSeconds(80), Duration.ZERO);
    claimed.get().hosts().forEach(this::alone);
    runs.put(
        gang,
        before
            .map(run -> run.nextRun(members, TIMES, time()))
            .orElseGet(() -> GangRun.first(gang, limits, members, TIMES, time())));
  }

  /** A host granted to a gang has no process of another gang, not even of an ended one. */
  private void alone(HostId id) {
    var process = Optional.ofNullable(hosts.get(id)).map(h -> h.processes).orElseThrow();
    if (!process.isEmpty())
      throw new AssertionError("I17: " + id + " is given away and has " + process);
  }

  /** Served silence loses a host; the later end of its machine is the proof. */
  private void watch(GangSimulationHost host) {
    if (now - host.lastReport < 25) return;
    for (var gang : gangs)
      apply(gang, new GangEvent.HostLost(time(), host.id, FailureCause.LOST, "served silence"));
    remove(host.id);
  }

  private void remove(HostId id) {
    var host = hosts.remove(id);
    if (host != null) {
      leaving.put(id, host);
      after(
          3,
          30,
          () -> {
            host.powerOff();
            leaving.remove(id);
            for (var gang : gangs) apply(gang, new GangEvent.HostGone(time(), id));
          });
      replace();
    }
  }
}
