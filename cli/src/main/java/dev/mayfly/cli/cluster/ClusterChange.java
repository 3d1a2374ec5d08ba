package dev.mayfly.cli.cluster;

import dev.mayfly.core.clusters.ClusterChangeRules;
import dev.mayfly.core.clusters.SlicePools;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.plan.capacity.PoolVersions;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.FieldChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code mayfly up} would change.
 *
 * @param formerly the cluster's present name, if the file renames it
 * @param created whether there is no such cluster
 * @param generation of the cluster that is up; 0 if it would be created
 * @param changes fields in the words of a cluster's file; empty if nothing would change
 * @param replaced workers whose machines the change replaces
 */
record ClusterChange(
    String cluster,
    Optional<String> formerly,
    boolean created,
    long generation,
    List<FieldChange> changes,
    List<Replaced> replaced) {
  /** The fields of a pool that a file has in an object of its own. */
  private static final Map<String, String> POOL_FIELDS =
      Map.of(
          "min", "workers.min",
          "max", "workers.max",
          "idleAfter", "workers.idleAfter",
          "machineType", "type");

  /**
   * A worker that another machine takes the place of.
   *
   * @param why what changes of its pool
   */
  record Replaced(String worker, String pool, String why) {}

  static ClusterChange created(ClusterSpec spec) {
    return new ClusterChange(
        spec.name(), Optional.empty(), true, 0, inWordsOfFile(FieldChange.ofNew(spec)), List.of());
  }

  /**
   * Throws {@link InvalidInputException} for a change that the control plane would refuse.
   *
   * @param workers those of the cluster that are not gone
   */
  static ClusterChange of(ClusterStatus was, ClusterSpec file, List<WorkerStatus> workers) {
    ClusterChangeRules.checkStays(was.name(), was.phase().equals("going"));
    var next = SlicePools.kept(was.spec(), file);
    ClusterChangeRules.checkBucket(was.spec(), next, was.jobs());
    return new ClusterChange(
        next.name(),
        Optional.of(was.name()).filter(name -> !name.equals(next.name())),
        false,
        was.generation(),
        inWordsOfFile(FieldChange.between(was.spec(), next)),
        replaced(was.spec(), next, workers));
  }

  private static List<FieldChange> inWordsOfFile(List<FieldChange> changes) {
    return changes.stream()
        .map(change -> new FieldChange(inWordsOfFile(change.field()), change.was(), change.now()))
        .toList();
  }

  /** {@code pools.cpu.max} is {@code pools.cpu.workers.max} in a file. */
  private static String inWordsOfFile(String field) {
    var parts = field.split("\\.");
    if (parts.length != 3 || !parts[0].equals("pools")) return field;
    return "pools." + parts[1] + "." + POOL_FIELDS.getOrDefault(parts[2], parts[2]);
  }

  private static List<Replaced> replaced(
      ClusterSpec was, ClusterSpec next, List<WorkerStatus> workers) {
    var all = new ArrayList<Replaced>();
    for (var worker : workers)
      was.pool(worker.pool())
          .filter(pool -> pool.provisioning() != Provisioning.STATIC)
          .map(pool -> why(was, pool, next, worker))
          .filter(why -> !why.isEmpty())
          .ifPresent(why -> all.add(new Replaced(worker.name(), worker.pool(), why)));
    return all;
  }

  private static String why(ClusterSpec was, PoolSpec pool, ClusterSpec next, WorkerStatus worker) {
    var reasons = new ArrayList<>(PoolVersions.replacing(was, pool, next));
    var zones = next.pool(pool.name()).map(PoolSpec::zones).orElse(pool.zones());
    if (!zones.equals(pool.zones()) && !zones.contains(worker.zone()))
      reasons.add("zones, without " + worker.zone());
    return String.join(", ", reasons);
  }
}
