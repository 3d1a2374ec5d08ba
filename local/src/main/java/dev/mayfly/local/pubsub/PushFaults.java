package dev.mayfly.local.pubsub;

import java.time.Duration;

/**
 * Injected faults between Pub/Sub and the receiver. Both methods are called once for each message.
 */
public interface PushFaults {
  /** No faults. */
  PushFaults NONE = new PushFaults() {};

  /** The number of deliveries: normally 1, or 2 for a duplicate. */
  default int copies(String topic) {
    return 1;
  }

  /** The delay before the first delivery. */
  default Duration delay(String topic) {
    return Duration.ZERO;
  }
}
