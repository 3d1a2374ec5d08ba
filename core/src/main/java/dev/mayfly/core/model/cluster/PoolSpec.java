package dev.mayfly.core.model.cluster;

import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
 * @param storage the names of the storage that its machines mount; empty for all of the cluster's
 * @param labels of its workers, by name, that jobs may ask for
 * @param spare workers kept beyond those that tasks take, while there is work; empty for none, so
 *     that specs from before there were any keep their hash
 * @param preemption what gives way there; empty for what has not started
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
    boolean manual,
    Optional<List<String>> storage,
    Map<String, String> labels,
    Optional<Integer> spare,
    Optional<PreemptionRule> preemption) {
  public PoolSpec {
    labels = Map.copyOf(labels);
    zones = List.copyOf(zones);
    storage = storage.map(List::copyOf);
    if (min < 0 || max < min)
      throw new IllegalArgumentException("workers: min " + min + ", max " + max);
    if (spare.filter(n -> n <= 0).isPresent())
      throw new IllegalArgumentException("workers: spare " + spare.get());
    if (manual && min != max)
      throw new IllegalArgumentException("a manual slice has min " + min + ", not " + max);
  }

  /** A pool without labels that mounts all storage of its cluster. */
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
      MachineSpec machine,
      boolean manual) {
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
        machine,
        manual,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
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
        false,
        storage,
        labels,
        Optional.empty(),
        preemption);
  }

  /** Whether a pool of this name is kept for urgent work. */
  public static boolean isFallback(String pool) {
    return pool.endsWith(FALLBACK);
  }

  /** The name of the pool that a fallback belongs to. */
  public static String stem(String fallback) {
    return fallback.substring(0, fallback.length() - FALLBACK.length());
  }

  /** Between the name of a pool that chooses among types and the type. */
  private static final String CHOICE = "--";

  /** The name of the part of a pool ({@code anyOf}) that has the machines of one type. */
  public static String choice(String pool, String machineType) {
    return pool + CHOICE + machineType;
  }

  /** Whether a pool of this name has the machines of one type of a pool that chooses. */
  public static boolean isChoice(String pool) {
    return pool.contains(CHOICE);
  }

  /**
   * The pool as its users call it: that of a choice is the pool that chooses, all others are their
   * own. Those of one family have one maximum together.
   */
  public static String family(String pool) {
    var at = pool.indexOf(CHOICE);
    if (at < 0) return pool;
    return pool.substring(0, at) + (isFallback(pool) ? FALLBACK : "");
  }

  /** Whether who writes this name means the pool, alone or with others of its family. */
  public static boolean isNamed(String written, String pool) {
    return written.equals(pool) || written.equals(family(pool));
  }

  /** The pool as its users call it. */
  public String family() {
    return family(name);
  }

  public PoolSpec withMachine(MachineSpec made) {
    return copy(provisioning, made, storage, labels, spare, preemption);
  }

  public PoolSpec withStorage(Optional<List<String>> names) {
    return copy(provisioning, machine, names, labels, spare, preemption);
  }

  public PoolSpec withProvisioning(Provisioning how) {
    return copy(how, machine, storage, labels, spare, preemption);
  }

  /** A copy whose workers have these labels. */
  public PoolSpec withLabels(Map<String, String> other) {
    return copy(provisioning, machine, storage, other, spare, preemption);
  }

  /** A copy that keeps so many workers beyond those that tasks take. */
  public PoolSpec withSpare(int workers) {
    return copy(
        provisioning,
        machine,
        storage,
        labels,
        Optional.of(workers).filter(n -> n > 0),
        preemption);
  }

  /** A copy in which that gives way. */
  public PoolSpec withPreemption(PreemptionRule rule) {
    var other = Optional.of(rule).filter(it -> it != PreemptionRule.WAITING);
    return copy(provisioning, machine, storage, labels, spare, other);
  }

  /** Whether running tasks give way to a higher priority. */
  public boolean endsRunning() {
    return preemption.filter(it -> it == PreemptionRule.RUNNING).isPresent();
  }

  /** A copy that keeps no machine warm. */
  public PoolSpec withoutMinimum() {
    return new PoolSpec(
        name,
        machineType,
        visible,
        zones,
        provisioning,
        0,
        max,
        idleAfter,
        life,
        machine,
        manual,
        storage,
        labels,
        spare,
        preemption);
  }

  /** How many workers it keeps beyond those that tasks take. */
  public int spares() {
    return spare.orElse(0);
  }

  private PoolSpec copy(
      Provisioning how,
      MachineSpec made,
      Optional<List<String>> names,
      Map<String, String> other,
      Optional<Integer> more,
      Optional<PreemptionRule> rule) {
    return new PoolSpec(
        name,
        machineType,
        visible,
        zones,
        how,
        min,
        max,
        idleAfter,
        life,
        made,
        manual,
        names,
        other,
        more,
        rule);
  }
}
