package dev.mayfly.gcp.pubsub;

import dev.mayfly.core.port.Bus;

/** Makes the adapter of {@link Bus} that publishes to Pub/Sub. */
public final class PubSub {
  private PubSub() {}

  /** Connects at the first hint, not before; one bus serves a whole process, from any thread. */
  public static Bus bus(PubSubSettings settings) {
    return new TopicBus(settings);
  }
}
