package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.Optional;

/** The machine's problems, for people to read. */
public final class MachineProblems {
  private Optional<String> machine = Optional.empty();
  private Optional<String> lost = Optional.empty();
  private Optional<String> device = Optional.empty();
  private Optional<String> store = Optional.empty();
  private Optional<String> limits = Optional.empty();

  /** Sets or clears a device problem; returns whether it changed. */
  public boolean device(Optional<String> text) {
    var changed = !device.equals(text);
    device = text;
    return changed;
  }

  /**
   * Tasks run nevertheless, so this is reported only while there is no worse problem. Returns
   * whether it changed.
   */
  public boolean unlimited(String why) {
    var changed = limits.isEmpty();
    limits = Optional.of(why);
    return changed;
  }

  /** Why the machine accepts no tasks. */
  public void machine(Optional<String> text) {
    machine = text;
  }

  /** Devices are gone for as long as this agent lives. */
  public void devicesLost(String why) {
    lost = Optional.of(SyncReport.UNFIT + why);
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
  private static Optional<String> degraded(String reason) {
    return Optional.of(SyncReport.DEGRADED + reason);
  }

  Optional<String> current() {
    return machine.or(() -> lost).or(() -> device).or(() -> store).or(() -> limits);
  }
}
