package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.port.TriggerBus;

/** Makes the adapter of {@link TriggerBus} that publishes to Pub/Sub. */
public final class PubSub {
  private PubSub() {}

  /** Connects at the first hint, not before; one bus serves a whole process, from any thread. */
  public static TriggerBus bus(PubSubSettings settings) {
    return new TopicTriggerBus(settings);
  }
}
