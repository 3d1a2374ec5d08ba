package dev.mayfly.core.model;

import java.time.Duration;
import java.util.List;

/**
 * Machines of one shape.
 *
 * @param machineType the cloud's name of the shape, for example {@code n2-standard-4}
 * @param visible what tasks may use of one machine; by default all of the shape
 * @param zones where machines may be launched, best first
 * @param min workers kept warm
 * @param max workers at most, those in flight included
 * @param idleAfter how long a worker above {@code min} may have nothing to do
 * @param life how long a machine may live at most: the dead-man switch outside our code
 */
public record PoolSpec(
    String name,
    String machineType,
    Resources visible,
    List<String> zones,
    Provisioning provisioning,
    int min,
    int max,
    Duration idleAfter,
    Duration life) {
  public PoolSpec {
    zones = List.copyOf(zones);
    if (min < 0 || max < min)
      throw new IllegalArgumentException("workers: min " + min + ", max " + max);
  }
}
