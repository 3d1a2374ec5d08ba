package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.port.TriggerBus;

/** Creates the adapter of {@link TriggerBus} that publishes to Pub/Sub. */
public final class PubSub {
  private PubSub() {}

  /** Connects at the first trigger. One bus serves a whole process and is thread-safe. */
  public static TriggerBus bus(PubSubSettings settings) {
    return new TopicTriggerBus(settings);
  }
}
