package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Instance;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.RunningVm;
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
 * One machine's lifecycle as one thread: provisioned, staged, booted, running, terminated, off. For
 * an existing machine it continues from the machine's state.
 */
final class MachineLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(MachineLifecycle.class);

  private final ComputeMachine.Key key;
  private final ComputeMachines computeMachines;
  private final CloudContext cloudContext;
  private final String cloudUrl;
  private final LinkedBlockingQueue<Termination> terminations = new LinkedBlockingQueue<>();
  private final Thread thread = Thread.ofVirtual().name("machine").unstarted(this::run);
  private volatile Optional<RunningVm> runningVm = Optional.empty();

  MachineLifecycle(
      ComputeMachine.Key key,
      ComputeMachines computeMachines,
      CloudContext cloudContext,
      String cloudUrl) {
    this.key = key;
    this.computeMachines = computeMachines;
    this.cloudContext = cloudContext;
    this.cloudUrl = cloudUrl;
  }

  void begin() {
    thread.start();
  }

  /** Sends the machine its termination, which the thread carries out. */
  void terminate(Termination termination) {
    terminations.add(termination);
  }

  /** The machine's processes while its power is on. */
  Optional<RunningVm> vm() {
    return runningVm;
  }

  /** Ends the thread; a running machine continues. */
  void detach() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      if (!computeMachines.machine(key).instance().getStatus().equals("TERMINATED")) {
        end(decide(first()));
      }
      while (computeMachines.exists(key)) {
        // The machine is off, so only a delete still matters.
        var termination = terminations.take();
        if (termination.cause() == Termination.Cause.DELETED) {
          end(termination);
        }
      }
    } catch (InterruptedException e) {
      runningVm.ifPresent(RunningVm::detach);
    } catch (RuntimeException e) {
      LOG.error("The lifecycle of machine {} has failed; delete it by hand", key.name(), e);
    }
  }

  /** Boots or finds the machine and waits for its first termination. */
  private Termination first() throws InterruptedException {
    var computeMachine = computeMachines.machine(key);
    if (computeMachine.handle().isPresent()) {
      find(computeMachine);
    } else if (computeMachine.termination().isEmpty()) {
      var early = boot(computeMachine);
      if (early.isPresent()) {
        return early.get();
      }
    }
    var known = computeMachine.termination();
    return known.isPresent() ? known.get() : runUntilTermination();
  }

  private Optional<Termination> boot(ComputeMachine computeMachine) throws InterruptedException {
    var created = Instant.parse(computeMachine.instance().getCreationTimestamp());
    var half = created.plus(Duration.between(created, computeMachine.bootAt()).dividedBy(2));
    var early = nextBefore(half);
    if (early.isEmpty()) {
      computeMachines.update(key, provisioned -> provisioned.withStatus("STAGING"));
      early = nextBefore(computeMachine.bootAt());
    }
    if (early.isEmpty()) {
      early = switchOn(computeMachine);
    }
    return early;
  }

  private Optional<Termination> switchOn(ComputeMachine computeMachine) {
    try {
      var booted =
          cloudContext.hypervisor().boot(computeMachine.spec(cloudContext.project()), cloudUrl);
      runningVm = Optional.of(booted);
      var now = cloudContext.clock().instant();
      computeMachines.started(
          key, booted.handle(), instance -> InstanceOutputFields.started(instance, now));
      return Optional.empty();
    } catch (IOException e) {
      LOG.warn("Machine {} cannot boot", key.name(), e);
      computeMachines.failed(key, OperationError.internal("Cannot boot: " + e.getMessage()));
      return Optional.of(
          new Termination(Termination.Cause.DELETED, cloudContext.clock().instant()));
    }
  }

  private void find(ComputeMachine computeMachine) {
    try {
      runningVm =
          cloudContext
              .hypervisor()
              .find(
                  computeMachine.spec(cloudContext.project()),
                  computeMachine.handle().orElseThrow());
    } catch (IOException e) {
      throw new IllegalStateException("The metadata server cannot come back", e);
    }
  }

  private Termination runUntilTermination() throws InterruptedException {
    runningVm.ifPresentOrElse(
        running -> running.whenOff(this::reportGuestOff), this::reportGuestOff);
    var expiry = computeMachines.machine(key).expiry();
    if (expiry.isEmpty()) {
      return terminations.take();
    }
    return nextBefore(expiry.get())
        .orElseGet(() -> new Termination(Termination.Cause.EXPIRED, expiry.get()));
  }

  private void reportGuestOff() {
    terminations.add(new Termination(Termination.Cause.GUEST_OFF, cloudContext.clock().instant()));
  }

  /** Waits until the termination is due, or for another that overrides it. */
  private Termination decide(Termination first) throws InterruptedException {
    var termination = first;
    do {
      computeMachines.update(key, withTermination(termination));
      begin(termination);
      var next = nextBefore(termination.at());
      if (next.isEmpty()) {
        return termination;
      }
      termination = after(termination, next.get());
    } while (true);
  }

  private static UnaryOperator<ComputeMachine> withTermination(Termination termination) {
    return computeMachine -> computeMachine.withTermination(termination);
  }

  private void begin(Termination termination) {
    switch (termination.cause()) {
      case PREEMPTED -> announce(termination);
      case HOST_ERROR -> runningVm.ifPresent(RunningVm::cutPower);
      default -> {}
    }
  }

  /** A preemption that is due at once has no notice. */
  private void announce(Termination termination) {
    if (termination.at().isAfter(cloudContext.clock().instant())) {
      runningVm.ifPresent(RunningVm::announcePreemption);
    }
  }

  private static Termination after(Termination termination, Termination next) {
    if (next.cause() == Termination.Cause.GUEST_OFF) {
      // A machine that was asked to end has ended by itself. A dead host hides that.
      return termination.cause() == Termination.Cause.HOST_ERROR
          ? termination
          : new Termination(termination.cause(), next.at());
    }
    return next.overrides(termination) ? next : termination;
  }

  private void end(Termination termination) {
    var last =
        computeMachines
            .update(key, computeMachine -> computeMachine.withStatus("STOPPING"))
            .instance();
    runningVm.ifPresent(RunningVm::cutPower);
    runningVm = Optional.empty();
    if (termination.deletes(last.getScheduling())) {
      cloudContext.hypervisor().erase(computeMachines.machine(key).spec(cloudContext.project()));
      computeMachines.remove(key);
    } else {
      computeMachines.update(
          key, computeMachine -> switchedOff(computeMachine.instance(), computeMachine.bootAt()));
    }
    computeMachines.ended(last, termination);
  }

  private ComputeMachine switchedOff(Instance instance, Instant bootAt) {
    var off =
        instance.toBuilder()
            .setStatus("TERMINATED")
            .setLastStopTimestamp(
                cloudContext.clock().instant().truncatedTo(ChronoUnit.MILLIS).toString());
    return new ComputeMachine(off.build(), bootAt, Optional.empty(), Optional.empty());
  }

  private Optional<Termination> nextBefore(Instant time) throws InterruptedException {
    var left = Duration.between(cloudContext.clock().instant(), time);
    return Optional.ofNullable(
        terminations.poll(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS));
  }
}
