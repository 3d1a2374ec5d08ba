package dev.mayfly.local.scheduler;

import java.io.IOException;
import java.util.Map;

/** Where jobs publish to: Pub/Sub. */
@FunctionalInterface
interface SchedulerTarget {
  /**
   * @param topic {@code projects/P/topics/T}
   * @throws IOException when the message cannot be kept
   */
  void publish(String topic, byte[] data, Map<String, String> attributes) throws IOException;
}
