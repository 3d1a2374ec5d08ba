package dev.mayfly.sim.world;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentSettings;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.sim.control.ControlPlaneEntry;

/**
 * A mistake that somebody could have made, kept so that it is known to be found. It wraps what the
 * world is made of; the code that runs on Google Cloud knows nothing of it.
 */
public interface Mutant {
  Mutant NONE = new Mutant() {};

  /** The control plane with the mistake in it. */
  default ControlPlaneEntry.Maker plant(ControlPlaneEntry.Maker maker, World world) {
    return maker;
  }

  /** What the machine does when its agent asks for a kill. */
  default void kill(AgentEffect.Kill kill, HostProcesses hostProcesses) {
    hostProcesses.kill(kill);
  }

  /** The times that agents go by. */
  default AgentSettings settings(AgentSettings settings) {
    return settings;
  }

  /** How an agent sees the object store. */
  default ObjectStore objectStore(ObjectStore objectStore) {
    return objectStore;
  }

  /** Whether a message is acknowledged before it is done. */
  default boolean acknowledgesFirst() {
    return false;
  }

  /** What a message tells once it has arrived. */
  default UserMessage incomingMessage(UserMessage userMessage, World world) {
    return userMessage;
  }

  /** What a report tells once it has arrived. */
  default SyncReport incomingReport(SyncReport report, World world) {
    return report;
  }
}
