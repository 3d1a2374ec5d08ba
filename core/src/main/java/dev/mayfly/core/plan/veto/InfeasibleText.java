package dev.mayfly.core.plan.veto;

import dev.mayfly.core.catalog.MachineSuggestions;
import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.StorageSpec;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Words why a job can never run on a cluster: what it asks for, the nearest pool, the remedy. */
public record InfeasibleText(
    Resources need,
    Placement placement,
    int gang,
    ClusterSpec cluster,
    List<InfeasibleReason.Considered> considered) {
  static String noFallback() {
    return "no pool that it may use has on-demand machines for it; "
        + RemedyText.of(new Remedy.AddOnDemand());
  }

  /** Of a job that asks for machines on demand. */
  public static InfeasibleReason noOnDemandPool() {
    return new InfeasibleReason(
        "onDemand",
        "asks for onDemand, and " + noFallback() + ", or leave onDemand out",
        new Remedy.AddOnDemand(),
        List.of());
  }

  /** Of a gang of more machines than a task may have. */
  public static InfeasibleReason largeGang(int gang) {
    return new InfeasibleReason(
        "gang",
        "asks for gang: %d, and a task runs on at most %d machines together; ask for fewer, or for a TPU slice"
            .formatted(gang, BatchSize.GANG),
        new Remedy.SmallerGang(BatchSize.GANG),
        List.of());
  }

  /**
   * Of a gang for which no pool has enough machines.
   *
   * @param fit pools whose machines are large enough
   */
  public static InfeasibleReason noRoomForGang(int gang, List<PoolSpec> fit) {
    var most =
        fit.stream()
            .map(p ->
                p.name()
                    + (TpuTypes.isOneHost(p.machineType())
                        ? " has at most " + p.max()
                        : " has slices of several hosts, which are gangs themselves"))
            .collect(Collectors.joining(", "));
    var remedy = moreMachines(gang, fit);
    return new InfeasibleReason(
        "gang",
        "asks for gang: %d, and no pool that it may use may have %d single machines at once: %s; %s"
                .formatted(gang, gang, most, RemedyText.of(remedy))
            + (remedy instanceof Remedy.SmallerGang ? "" : ", or ask for a smaller gang"),
        remedy,
        List.of());
  }

  /** No maximum helps slices of several hosts, nor those that are made by command. */
  private static Remedy moreMachines(int gang, List<PoolSpec> fit) {
    var single = fit.stream().filter(p -> TpuTypes.isOneHost(p.machineType())).toList();
    var largest = single.stream().mapToInt(PoolSpec::max).max().orElse(1);
    return single.stream()
        .filter(p -> !p.manual())
        .max(Comparator.comparingInt(PoolSpec::max))
        .<Remedy>map(p -> new Remedy.RaiseMaximum(p.name(), gang))
        .orElse(new Remedy.SmallerGang(largest));
  }

  /**
   * Of a job that names a storage which a pool does not mount.
   *
   * @param field of the job
   * @param named the path or the variable
   * @param lacking pools without it
   * @param having pools with it
   */
  public static InfeasibleReason notMounted(
      String field,
      String named,
      StorageSpec storage,
      List<String> lacking,
      List<String> having,
      ClusterSpec cluster) {
    var remedy = new Remedy.MountStorage(storage.name());
    var jobs =
        having.isEmpty()
            ? ""
            : "write pools: [%s] in the job, or ".formatted(String.join(", ", having));
    return new InfeasibleReason(
        field,
        "names %s, which is storage %s of cluster %s, and a pool that the job may use does not mount it: %s; %s%s in the cluster's file"
            .formatted(
                named,
                storage.name(),
                cluster.name(),
                String.join(", ", lacking),
                jobs,
                RemedyText.of(remedy)),
        remedy,
        lacking.stream()
            .map(pool ->
                new InfeasibleReason.Considered(pool, new ShapeVeto.NotMounted(storage.name())))
            .toList());
  }

  private InfeasibleReason because(String message, Remedy remedy) {
    return new InfeasibleReason(field(), message, remedy, considered);
  }

  /** The field of the job that excludes every pool. */
  private String field() {
    var named = cluster.pools().stream().filter(p -> placement.allowsPool(p.name())).toList();
    if (named.isEmpty() && !cluster.pools().isEmpty()) return "pools";
    if (named.stream().noneMatch(placement::allowsLabelsOf)) return "labels";
    if (named.stream().noneMatch(placement::allowsSomeZone) && !placement.zones().isEmpty())
      return "zones";
    return "resources";
  }

  /** Of a job that no pool fits. */
  public InfeasibleReason reason() {
    if (cluster.pools().isEmpty())
      return because(
          "cluster %s has no pool; add one whose workers have %s"
              .formatted(cluster.name(), HumanAmounts.phrase(need)),
          new Remedy.AddPool(need));
    var named = cluster.pools().stream().filter(p -> placement.allowsPool(p.name())).toList();
    if (named.isEmpty()) return unknown();
    if (named.stream().noneMatch(placement::allowsLabelsOf))
      return because(
          LabelText.unmatched(placement.labels(), cluster.name(), named),
          new Remedy.AddLabels(placement.labels()));
    var inZones = named.stream().filter(placement::allowsSomeZone).toList();
    if (inZones.isEmpty()) return elsewhere(named);
    var suitable =
        inZones.stream()
            .filter(p -> TpuTypes.isOneHost(p.machineType()) || placement.allowsSlices(need))
            .toList();
    if (suitable.isEmpty()) return slices(inZones);
    if (suitable.stream().anyMatch(p -> p.visible().fits(need))) return closed(suitable);
    var nearest = suitable.stream().min(Comparator.comparingDouble(this::excess)).orElseThrow();
    return because(small(nearest) + others(nearest), new Remedy.AddPool(need));
  }

  private InfeasibleReason unknown() {
    var names = cluster.pools().stream().map(PoolSpec::name).toList();
    return because(
        "names the pools %s, and cluster %s has none of them; its pools are %s"
            .formatted(
                String.join(", ", placement.pools()), cluster.name(), String.join(", ", names)),
        new Remedy.NamePools(names));
  }

  private InfeasibleReason elsewhere(List<PoolSpec> named) {
    return because(
        "may run in %s alone, and no pool of cluster %s that it may use is there: %s"
            .formatted(
                String.join(
                    ", ", placement.zones().isEmpty() ? placement.locations() : placement.zones()),
                cluster.name(),
                named.stream()
                    .map(p -> p.name() + " is in " + String.join(", ", p.zones()))
                    .collect(Collectors.joining("; "))),
        new Remedy.AddPool(need));
  }

  private InfeasibleReason slices(List<PoolSpec> inZones) {
    var names = inZones.stream().map(PoolSpec::name).toList();
    var remedy = new Remedy.NamePools(names);
    return because(
        "has no pool of single machines to run in on cluster %s; on %s each task would run on all hosts of a slice at once: %s if that is meant, or add another pool"
            .formatted(cluster.name(), String.join(", ", names), RemedyText.of(remedy)),
        remedy);
  }

  /** A manual slice of no machines is being deleted, and has no maximum to raise. */
  private InfeasibleReason closed(List<PoolSpec> inZones) {
    var fit = inZones.stream().filter(p -> p.visible().fits(need)).toList();
    var remedy =
        fit.stream()
            .filter(p -> !p.manual())
            .findFirst()
            .<Remedy>map(p -> new Remedy.RaiseMaximum(p.name(), Math.max(1, gang)))
            .orElse(new Remedy.AddPool(need));
    return because(
        "fits in pool %s of cluster %s alone, where workers.max is 0; %s"
            .formatted(
                fit.stream().map(PoolSpec::name).collect(Collectors.joining(", ")),
                cluster.name(),
                RemedyText.of(remedy)),
        remedy);
  }

  private String small(PoolSpec nearest) {
    var has = nearest.visible();
    var lacking =
        Arrays.stream(HumanAmounts.Kind.values()).filter(k -> k.of(need) > k.of(has)).toList();
    return "asks for %s a task; the %s worker of cluster %s%s has %s (pool %s: %s, %s); ask for at most %s, or add a pool with a larger machine%s"
        .formatted(
            HumanAmounts.phrase(lacking.stream().map(k -> k.say(need)).toList()),
            cluster.pools().size() == 1 ? "largest" : "nearest",
            cluster.name(),
            placement.equals(Placement.ANYWHERE) ? "" : " where the job may run",
            HumanAmounts.phrase(lacking.stream().map(k -> k.say(has)).toList()),
            nearest.name(),
            nearest.machineType(),
            HumanAmounts.format(has),
            HumanAmounts.phrase(has),
            MachineSuggestions.smallest(need).map(s -> ", " + s + " for example").orElse(""));
  }

  private String others(PoolSpec nearest) {
    var rest =
        considered.stream()
            .filter(c -> !c.pool().equals(nearest.name()))
            .map(c -> c.pool() + " (" + ShapeText.of(c.why()) + ")")
            .toList();
    return rest.isEmpty() ? "" : "; also considered: " + String.join(", ", rest);
  }

  /** The largest ratio of a requested amount to what the pool has. */
  private double excess(PoolSpec pool) {
    return Arrays.stream(HumanAmounts.Kind.values())
        .filter(k -> k.of(need) > 0)
        .mapToDouble(k -> k.of(need) / Math.max(0.001, (double) k.of(pool.visible())))
        .max()
        .orElse(0);
  }
}
