package dev.mayfly.local.pubsub;

import java.time.Duration;

/** What goes wrong on purpose on the way to the receiver. Both are asked once for each message. */
public interface PushFaults {
  /** All is well. */
  PushFaults NONE = new PushFaults() {};

  /** How often the message is delivered; 1 is ordinary, 2 is a duplicate. */
  default int copies(String topic) {
    return 1;
  }

  /** How long the message waits before it is first delivered. */
  default Duration delay(String topic) {
    return Duration.ZERO;
  }
}
