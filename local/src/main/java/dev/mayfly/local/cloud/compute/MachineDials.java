package dev.mayfly.local.cloud.compute;

import dev.mayfly.local.cloud.http.ApiError;
import dev.mayfly.local.cloud.vm.Vm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What befalls machines without their owner having asked for it. Each method takes a machine's
 * name, or {@code *} for all of them, and throws {@link ApiError} (404) when there is no such
 * machine.
 */
public final class MachineDials {
  private final Site site;
  private final Machines machines;

  public MachineDials(Site site, Machines machines) {
    this.site = site;
    this.machines = machines;
  }

  /**
   * Compute takes a Spot machine back; of all machines, those that are Spot.
   *
   * @param notice how long the machine knows before it loses its power; empty: it never knows
   * @throws ApiError (400) when the machine named is not a Spot one
   */
  public void preempt(String name, Optional<Duration> notice) {
    for (var key : named(name)) {
      if (InstanceRules.isSpot(machines.machine(key).instance().getScheduling())) {
        send(key, Fate.Cause.PREEMPTED, notice.orElse(Duration.ZERO));
      } else if (!name.equals("*")) {
        throw ApiError.invalid("Machine '" + name + "' is not a Spot one: it is never preempted");
      }
    }
  }

  /**
   * The machine's host fails: its processes are dead at once.
   *
   * @param unseen how long Compute goes on saying RUNNING; then it says TERMINATED
   */
  public void kill(String name, Duration unseen) {
    named(name).forEach(key -> send(key, Fate.Cause.HOST_ERROR, unseen));
  }

  /** Somebody stops the machine: it stays, as TERMINATED. */
  public void stop(String name) {
    named(name).forEach(key -> machines.end("stop", key, Fate.Cause.STOPPED, Optional.empty()));
  }

  /** Somebody deletes the machine. */
  public void delete(String name) {
    named(name).forEach(key -> machines.end("delete", key, Fate.Cause.DELETED, Optional.empty()));
  }

  /**
   * Stops the machine's processes where they stand; Compute goes on saying RUNNING.
   *
   * @throws ApiError (400) when the machine named is not running
   */
  public void freeze(String name) {
    eachRunning(name, Vm::freeze);
  }

  /**
   * Lets a frozen machine go on; one that is not frozen goes on anyway.
   *
   * @throws ApiError (400) when the machine named is not running
   */
  public void thaw(String name) {
    eachRunning(name, Vm::thaw);
  }

  private void eachRunning(String name, Consumer<Vm> act) {
    for (var key : named(name)) {
      var vm = machines.life(key).flatMap(MachineLife::vm);
      if (vm.isEmpty() && !name.equals("*")) {
        throw ApiError.invalid("Machine '" + name + "' is not running");
      }
      vm.ifPresent(act);
    }
  }

  private void send(Machine.Key key, Fate.Cause cause, Duration in) {
    machines.send(key, new Fate(cause, site.clock().instant().plus(in)));
  }

  private List<Machine.Key> named(String name) {
    var found = machines.keys(key -> name.equals("*") || key.name().equals(name));
    if (found.isEmpty() && !name.equals("*")) {
      throw new ApiError(404, "notFound", "There is no machine '" + name + "'");
    }
    return found;
  }
}
