package dev.mayfly.sim;

import dev.mayfly.core.agent.AgentEffect;
import dev.mayfly.core.agent.AgentSettings;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.port.Objects;

/**
 * A mistake that somebody could have made, kept so that it is known to be found. It wraps what the
 * world is made of; the code that runs on Google Cloud knows nothing of it.
 */
interface PlantedBug {
  PlantedBug NONE = new PlantedBug() {};

  /** The control plane with the mistake in it. */
  default ControlPlane.Maker plant(ControlPlane.Maker maker, World world) {
    return maker;
  }

  /** What the machine does when its agent asks for a kill. */
  default void kill(AgentEffect.Kill kill, Processes processes) {
    processes.kill(kill);
  }

  /** The times that agents go by. */
  default AgentSettings settings(AgentSettings settings) {
    return settings;
  }

  /** How an agent sees the object store. */
  default Objects store(Objects objects) {
    return objects;
  }

  /** Whether a message is acknowledged before it is done. */
  default boolean acknowledgesFirst() {
    return false;
  }

  /** What a message tells once it has arrived. */
  default Message received(Message message, World world) {
    return message;
  }

  /** What a report tells once it has arrived. */
  default SyncReport heard(SyncReport report, World world) {
    return report;
  }
}
