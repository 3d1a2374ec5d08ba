package dev.mayfly.local.machines.compute;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.RunningVm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Injects faults into machines. Each method takes a machine's name, or {@code *} for all, and
 * throws {@link ApiError} (404) for an unknown machine.
 */
public final class MachineFaultControls {
  private final CloudContext cloudContext;
  private final ComputeMachines computeMachines;

  public MachineFaultControls(CloudContext cloudContext, ComputeMachines computeMachines) {
    this.cloudContext = cloudContext;
    this.computeMachines = computeMachines;
  }

  /**
   * Preempts a Spot machine; for {@code *}, all Spot machines.
   *
   * @param notice the time from notice to power cut; empty for no notice
   * @throws ApiError (400) when the named machine is not a Spot machine
   */
  public void preempt(String name, Optional<Duration> notice) {
    for (var key : named(name)) {
      if (InstanceValidator.isSpot(computeMachines.machine(key).instance().getScheduling())) {
        send(key, Termination.Cause.PREEMPTED, notice.orElse(Duration.ZERO));
      } else if (!name.equals("*")) {
        throw ApiError.invalid(
            "Machine '" + name + "' is not a Spot machine and cannot be preempted");
      }
    }
  }

  /**
   * Fails the machine's host: its processes die at once.
   *
   * @param unseen how long Compute reports RUNNING before TERMINATED
   */
  public void kill(String name, Duration unseen) {
    named(name).forEach(key -> send(key, Termination.Cause.HOST_ERROR, unseen));
  }

  /** Stops the machine: it remains, as TERMINATED. */
  public void stop(String name) {
    named(name)
        .forEach(
            key -> computeMachines.end("stop", key, Termination.Cause.STOPPED, Optional.empty()));
  }

  /** Deletes the machine. */
  public void delete(String name) {
    named(name)
        .forEach(
            key -> computeMachines.end("delete", key, Termination.Cause.DELETED, Optional.empty()));
  }

  /**
   * Stops the machine's processes where they stand; Compute goes on saying RUNNING.
   *
   * @throws ApiError (400) when the machine named is not running
   */
  public void freeze(String name) {
    eachRunning(name, RunningVm::freeze);
  }

  /**
   * Lets a frozen machine go on; one that is not frozen goes on anyway.
   *
   * @throws ApiError (400) when the machine named is not running
   */
  public void thaw(String name) {
    eachRunning(name, RunningVm::thaw);
  }

  private void eachRunning(String name, Consumer<RunningVm> act) {
    for (var key : named(name)) {
      var runningVm = computeMachines.lifecycle(key).flatMap(MachineLifecycle::vm);
      if (runningVm.isEmpty() && !name.equals("*")) {
        throw ApiError.invalid("Machine '" + name + "' is not running");
      }
      runningVm.ifPresent(act);
    }
  }

  private void send(ComputeMachine.Key key, Termination.Cause cause, Duration in) {
    computeMachines.terminate(key, new Termination(cause, cloudContext.clock().instant().plus(in)));
  }

  private List<ComputeMachine.Key> named(String name) {
    var found = computeMachines.keys(key -> name.equals("*") || key.name().equals(name));
    if (found.isEmpty() && !name.equals("*")) {
      throw ApiError.notFound("There is no machine '" + name + "'");
    }
    return found;
  }
}
