package dev.mayfly.local.scheduler;

import java.io.IOException;
import java.util.Map;

/** The target of jobs: Pub/Sub. */
@FunctionalInterface
interface SchedulerTarget {
  /**
   * @param topic {@code projects/P/topics/T}
   * @throws IOException when the message cannot be stored
   */
  void publish(String topic, byte[] data, Map<String, String> attributes) throws IOException;
}
