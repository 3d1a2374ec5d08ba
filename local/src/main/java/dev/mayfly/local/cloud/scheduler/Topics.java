package dev.mayfly.local.cloud.scheduler;

import java.io.IOException;
import java.util.Map;

/** Where jobs publish to: Pub/Sub. */
@FunctionalInterface
public interface Topics {
  /**
   * @param topic {@code projects/P/topics/T}
   * @throws IOException when the message cannot be kept
   */
  void send(String topic, byte[] data, Map<String, String> attributes) throws IOException;
}
