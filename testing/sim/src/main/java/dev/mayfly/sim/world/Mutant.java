package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.waiting.WaitingFacts;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.sim.control.ControlPlaneEntry;
import java.util.List;

/**
 * A plausible mistake, planted to prove that the simulation finds it. It wraps parts of the world;
 * the deployed code does not contain it.
 */
public interface Mutant {
  Mutant NONE = new Mutant() {};

  /** The control plane with the mistake. */
  default ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
    return maker;
  }

  /** Why the job of a snapshot waits, as people are told. */
  default List<Veto> reasons(ClusterSnapshot snapshot, String job) {
    return new WaitingPlan(snapshot, WaitingFacts.NONE).of(job);
  }

  /** The machine's reaction to its agent's kill. */
  default void kill(AgentEffect.Kill kill, HostProcesses hostProcesses) {
    hostProcesses.kill(kill);
  }

  /** The agents' settings. */
  default AgentSettings settings(AgentSettings settings) {
    return settings;
  }

  /** Whether an agent sees the event. */
  default boolean delivers(AgentEvent event) {
    return true;
  }

  /** The event as its agent sees it. */
  default AgentEvent incomingEvent(AgentEvent event) {
    return event;
  }

  /** An agent's view of the object store. */
  default ObjectStore objectStore(ObjectStore objectStore) {
    return objectStore;
  }

  /** Whether a message is acknowledged before it is handled. */
  default boolean acknowledgesFirst() {
    return false;
  }

  /** The message as received. */
  default UserMessage incomingMessage(UserMessage userMessage, World world) {
    return userMessage;
  }

  /** The report as received. */
  default SyncReport incomingReport(SyncReport report, World world) {
    return report;
  }
}
