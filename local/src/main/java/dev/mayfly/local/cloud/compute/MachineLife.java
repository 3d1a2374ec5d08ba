package dev.mayfly.local.cloud.compute;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.local.cloud.vm.Vm;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One machine's life, as one thread that reads from top to bottom: provisioned, staged, booted,
 * running, met by its fate, off. Begun for a machine that exists already, it goes on where that one
 * stands.
 */
final class MachineLife {
  private static final Logger LOG = LoggerFactory.getLogger(MachineLife.class);

  private final Machine.Key key;
  private final Machines machines;
  private final Site site;
  private final String cloudUrl;
  private final LinkedBlockingQueue<Fate> fates = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofVirtual().name("machine").unstarted(this::run);
  private volatile Optional<Vm> vm = Optional.empty();

  MachineLife(Machine.Key key, Machines machines, Site site, String cloudUrl) {
    this.key = key;
    this.machines = machines;
    this.site = site;
    this.cloudUrl = cloudUrl;
  }

  void begin() {
    thread.start();
  }

  /** Sends the machine its fate; the thread meets it. */
  void meet(Fate fate) {
    fates.add(fate);
  }

  /** The machine's processes, while its power is on. */
  Optional<Vm> vm() {
    return vm;
  }

  /** Ends the thread; a machine that runs goes on running. */
  void leave() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      if (!machines.machine(key).instance().getStatus().equals("TERMINATED")) {
        end(decide(first()));
      }
      while (machines.exists(key)) {
        // It is off, and only a delete still concerns it.
        var fate = fates.take();
        if (fate.cause() == Fate.Cause.DELETED) {
          end(fate);
        }
      }
    } catch (InterruptedException e) {
      vm.ifPresent(Vm::release);
    } catch (RuntimeException e) {
      LOG.error("The life of machine {} has failed; delete it by hand", key.name(), e);
    }
  }

  /** Brings the machine up, or finds it, and waits for the first thing that is to end it. */
  private Fate first() throws InterruptedException {
    var machine = machines.machine(key);
    if (machine.trace().isPresent()) {
      find(machine);
    } else if (machine.fate().isEmpty()) {
      var early = boot(machine);
      if (early.isPresent()) {
        return early.get();
      }
    }
    var known = machine.fate();
    return known.isPresent() ? known.get() : runUntilFate();
  }

  private Optional<Fate> boot(Machine machine) throws InterruptedException {
    var created = Instant.parse(machine.instance().getCreationTimestamp());
    var half = created.plus(Duration.between(created, machine.bootAt()).dividedBy(2));
    var early = nextBefore(half);
    if (early.isEmpty()) {
      machines.update(key, provisioned -> provisioned.withStatus("STAGING"));
      early = nextBefore(machine.bootAt());
    }
    if (early.isEmpty()) {
      early = switchOn(machine);
    }
    return early;
  }

  private Optional<Fate> switchOn(Machine machine) {
    try {
      var booted = site.host().boot(machine.spec(site.project()), cloudUrl);
      vm = Optional.of(booted);
      var now = site.clock().instant();
      machines.started(key, booted.trace(), instance -> NewInstance.started(instance, now));
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("Machine {} cannot boot", key.name(), e);
      machines.failed(key, Refusal.internal("Cannot boot: " + e.getMessage()));
      return Optional.of(new Fate(Fate.Cause.DELETED, site.clock().instant()));
    }
  }

  private void find(Machine machine) {
    try {
      vm = site.host().find(machine.spec(site.project()), machine.trace().orElseThrow());
    } catch (IOException e) {
      throw new IllegalStateException("The metadata server cannot come back", e);
    }
  }

  private Fate runUntilFate() throws InterruptedException {
    vm.ifPresentOrElse(running -> running.whenOff(this::sawItOff), this::sawItOff);
    var expiry = machines.machine(key).expiry();
    if (expiry.isEmpty()) {
      return fates.take();
    }
    return nextBefore(expiry.get()).orElseGet(() -> new Fate(Fate.Cause.EXPIRED, expiry.get()));
  }

  private void sawItOff() {
    fates.add(new Fate(Fate.Cause.GUEST_OFF, site.clock().instant()));
  }

  /** Waits until the fate's time, or for another that takes its place. */
  private Fate decide(Fate first) throws InterruptedException {
    var fate = first;
    do {
      machines.update(key, withFate(fate));
      begin(fate);
      var next = nextBefore(fate.at());
      if (next.isEmpty()) {
        return fate;
      }
      fate = after(fate, next.get());
    } while (true);
  }

  private static UnaryOperator<Machine> withFate(Fate fate) {
    return machine -> machine.withFate(fate);
  }

  private void begin(Fate fate) {
    switch (fate.cause()) {
      case PREEMPTED -> announce(fate);
      case HOST_ERROR -> vm.ifPresent(Vm::cutPower);
      default -> {}
    }
  }

  /** A preemption that is due at once comes without notice. */
  private void announce(Fate fate) {
    if (fate.at().isAfter(site.clock().instant())) {
      vm.ifPresent(Vm::announcePreemption);
    }
  }

  private static Fate after(Fate fate, Fate next) {
    if (next.cause() == Fate.Cause.GUEST_OFF) {
      // Asked to go, it went by itself; but nobody sees that of a machine whose host is dead.
      return fate.cause() == Fate.Cause.HOST_ERROR ? fate : new Fate(fate.cause(), next.at());
    }
    return next.overrides(fate) ? next : fate;
  }

  private void end(Fate fate) {
    var last = machines.update(key, machine -> machine.withStatus("STOPPING")).instance();
    vm.ifPresent(Vm::cutPower);
    vm = Optional.empty();
    if (fate.deletes(last.getScheduling())) {
      site.host().erase(machines.machine(key).spec(site.project()));
      machines.remove(key);
    } else {
      machines.update(key, machine -> switchedOff(machine.instance(), machine.bootAt()));
    }
    machines.ended(last, fate);
  }

  private Machine switchedOff(Instance instance, Instant bootAt) {
    var off =
        instance.toBuilder()
            .setStatus("TERMINATED")
            .setLastStopTimestamp(site.clock().instant().truncatedTo(ChronoUnit.MILLIS).toString());
    return new Machine(off.build(), bootAt, Optional.empty(), Optional.empty());
  }

  private Optional<Fate> nextBefore(Instant time) throws InterruptedException {
    var left = Duration.between(site.clock().instant(), time);
    return Optional.ofNullable(fates.poll(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS));
  }
}
