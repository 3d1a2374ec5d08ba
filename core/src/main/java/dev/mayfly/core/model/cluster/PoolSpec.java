package dev.mayfly.core.model.cluster;

import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.List;

/**
 * A pool: machines of one shape.
 *
 * @param machineType the cloud's name of the shape, for example {@code n2-standard-4} or, for TPUs,
 *     {@code v4-8}
 * @param visible what tasks may use of one machine; by default all of it
 * @param zones where machines may be launched, best first
 * @param min workers kept ready
 * @param max the most workers, including those in flight
 * @param idleAfter how long a worker above {@code min} may be idle
 * @param life the longest life of a machine: the dead-man switch outside our code
 * @param machine its properties beyond the type
 * @param manual whether it is a manual slice: {@code min} equals {@code max}, and its workers are
 *     kept however idle or old they are; a cluster's file neither creates nor removes it
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
      throw new IllegalArgumentException("a manual slice has min " + min + ", not " + max);
  }

  /** A pool that is not a manual slice. */
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

  /** A pool of machines with nothing beyond their type. */
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

  /** The suffix of pools that are kept for work that spot machines did not finish. */
  private static final String FALLBACK = "-fallback";

  /** A pool of up to {@code most} equal machines on demand, for urgent work only. */
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

  /** The name of the pool that a fallback belongs to. */
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
