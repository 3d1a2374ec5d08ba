package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MachineProblem.Kind;
import java.util.Optional;

/** The machine's problems, for people to read. */
public final class MachineProblems {
  private Optional<MachineProblem> machine = Optional.empty();
  private Optional<MachineProblem> lost = Optional.empty();
  private Optional<MachineProblem> device = Optional.empty();
  private Optional<MachineProblem> store = Optional.empty();
  private Optional<MachineProblem> limits = Optional.empty();

  /** Sets or clears a device problem; returns whether it changed. */
  public boolean device(Optional<MachineProblem> problem) {
    var changed = !device.equals(problem);
    device = problem;
    return changed;
  }

  /**
   * Tasks run nevertheless, so this is reported only while there is no worse problem. Returns
   * whether it changed.
   */
  public boolean unlimited(String why) {
    var changed = limits.isEmpty();
    limits = Optional.of(Kind.UNLIMITED.of(why));
    return changed;
  }

  /** Why the machine accepts no tasks. */
  public void machine(MachineProblem problem) {
    machine = Optional.of(problem);
  }

  /** The machine accepts tasks. */
  public void machineReady() {
    machine = Optional.empty();
  }

  /** Devices are gone for as long as this agent lives. */
  public void devicesLost(String why) {
    lost = Optional.of(Kind.UNFIT.of(why));
  }

  public boolean hasLostDevices() {
    return lost.isPresent();
  }

  /** Derives the state of the object store from its answers. */
  public void update(AgentEvent event) {
    store =
        switch (event) {
          case AgentEvent.TaskListFetchFailed failed -> degraded(failed.reason());
          case AgentEvent.SurveyFailed failed -> degraded(failed.reason());
          case AgentEvent.PublishFailed failed -> degraded(failed.reason());
          case AgentEvent.TaskListFetched there -> Optional.empty();
          case AgentEvent.Surveyed there -> Optional.empty();
          case AgentEvent.Sealed there -> Optional.empty();
          default -> store;
        };
  }

  /** An unavailable store is not the machine's fault: another machine would fare no better. */
  private static Optional<MachineProblem> degraded(String reason) {
    return Optional.of(Kind.DEGRADED.of(reason));
  }

  Optional<MachineProblem> current() {
    return machine.or(() -> lost).or(() -> device).or(() -> store).or(() -> limits);
  }
}
