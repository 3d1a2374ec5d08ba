package dev.mayfly.core.model.cluster;

import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.List;

/**
 * Machines of one shape.
 *
 * @param machineType the cloud's name of the shape, for example {@code n2-standard-4} or, of TPUs,
 *     {@code v4-8}
 * @param visible what tasks may use of one machine; by default all of the shape
 * @param zones where machines may be launched, best first
 * @param min workers kept warm
 * @param max workers at most, those in flight included
 * @param idleAfter how long a worker above {@code min} may have nothing to do
 * @param life how long a machine may live at most: the dead-man switch outside our code
 * @param machine what else one machine is made of
 * @param manual whether it is a slice made by hand: there are as many as {@code min}, which is
 *     {@code max}, whatever is idle, however old; a cluster's file neither makes nor removes it
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
    Duration life,
    MachineSpec machine,
    boolean manual) {
  public PoolSpec {
    zones = List.copyOf(zones);
    if (min < 0 || max < min)
      throw new IllegalArgumentException("workers: min " + min + ", max " + max);
    if (manual && min != max)
      throw new IllegalArgumentException(
          "of a slice by hand there are min " + min + ", not " + max);
  }

  /** A pool that grows and shrinks by itself. */
  public PoolSpec(
      String name,
      String machineType,
      Resources visible,
      List<String> zones,
      Provisioning provisioning,
      int min,
      int max,
      Duration idleAfter,
      Duration life,
      MachineSpec machine) {
    this(
        name, machineType, visible, zones, provisioning, min, max, idleAfter, life, machine, false);
  }

  /** A pool of machines that are their type and nothing else. */
  public PoolSpec(
      String name,
      String machineType,
      Resources visible,
      List<String> zones,
      Provisioning provisioning,
      int min,
      int max,
      Duration idleAfter,
      Duration life) {
    this(
        name,
        machineType,
        visible,
        zones,
        provisioning,
        min,
        max,
        idleAfter,
        life,
        MachineSpec.PLAIN);
  }

  /** How the names of pools end that are kept for work that spot machines do not get done. */
  private static final String FALLBACK = "-fallback";

  /** The same machines on demand, {@code most} of them, for work alone that is urgent. */
  public PoolSpec fallback(int most) {
    return new PoolSpec(
        name + FALLBACK,
        machineType,
        visible,
        zones,
        Provisioning.ON_DEMAND,
        0,
        most,
        idleAfter,
        life,
        machine,
        false);
  }

  /** Whether a pool of this name is kept for urgent work. */
  public static boolean isFallback(String pool) {
    return pool.endsWith(FALLBACK);
  }

  /** The name of the pool that a fallback is kept for. */
  public static String stem(String fallback) {
    return fallback.substring(0, fallback.length() - FALLBACK.length());
  }

  public PoolSpec withMachine(MachineSpec made) {
    return new PoolSpec(
        name, machineType, visible, zones, provisioning, min, max, idleAfter, life, made, manual);
  }

  public PoolSpec withProvisioning(Provisioning how) {
    return new PoolSpec(
        name, machineType, visible, zones, how, min, max, idleAfter, life, machine, manual);
  }
}
