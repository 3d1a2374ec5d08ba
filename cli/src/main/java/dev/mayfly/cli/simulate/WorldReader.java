package dev.mayfly.cli.simulate;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.sim.experiment.Experiment;
import dev.mayfly.sim.experiment.ZoneConditions;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what zones are like, and what people and the cloud do at certain times. */
final class WorldReader {
  static final Set<String> ZONE_FIELDS =
      new TreeSet<>(List.of("boot", "losses", "machines", "pool", "preempted", "zone"));
  static final Set<String> STOCK_FIELDS = new TreeSet<>(List.of("at", "count"));
  static final Set<String> LOSS_FIELDS = new TreeSet<>(List.of("at", "count", "notice"));
  static final Set<String> QUOTA_FIELDS = new TreeSet<>(List.of("at", "machines", "region"));
  static final Set<String> COMMAND_FIELDS =
      new TreeSet<>(List.of("at", "drain", "publish", "workers"));
  private static final long MOST_MACHINES = 100_000;

  private final ScenarioDocuments documents;
  private final ClusterSpec cluster;
  private final RecordedDurations recorded;

  WorldReader(ScenarioDocuments documents, ClusterSpec cluster, RecordedDurations recorded) {
    this.documents = documents;
    this.cluster = cluster;
    this.recorded = recorded;
  }

  List<ZoneConditions> conditions(ScenarioFields fields) {
    return fields.objects("zones", ZONE_FIELDS).stream().map(this::zone).toList();
  }

  private ZoneConditions zone(ScenarioFields zone) {
    var pool = zone.has("pool") ? Optional.of(known(zone, "pool")) : Optional.<String>empty();
    var place = zone.text("zone");
    var zones = zones(List.of(cluster));
    place
        .filter(it -> !zones.contains(it))
        .ifPresent(it -> zone.add("zone", unknown("zone", it, zones)));
    return new ZoneConditions(
        pool,
        place,
        stock(zone),
        zone.part("preempted"),
        zone.bootDurations("boot", recorded),
        losses(zone));
  }

  /** The pool that the field names. */
  private String known(ScenarioFields entry, String field) {
    var name = entry.text(field).orElse("");
    var pools = pools(cluster);
    if (!pools.contains(name)) entry.add(field, unknown("pool", name, pools));
    return name;
  }

  static Set<String> pools(ClusterSpec cluster) {
    return cluster.pools().stream()
        .flatMap(pool -> Stream.of(pool.name(), pool.family()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Set<String> zones(List<ClusterSpec> clusters) {
    return clusters.stream()
        .flatMap(it -> it.pools().stream())
        .flatMap(it -> it.zones().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String unknown(String what, String name, Set<String> known) {
    return "'%s' is no %s of the cluster; its %ss are %s%s"
        .formatted(
            name, what, what, String.join(", ", known), SpellingSuggestion.hint(name, known));
  }

  /** A number of machines, or how it changes. */
  private static List<ZoneConditions.Stock> stock(ScenarioFields zone) {
    if (!zone.has("machines")) return List.of();
    if (!(zone.node("machines") instanceof SyntaxNode.Sequence))
      return zone.integer("machines", 0, MOST_MACHINES).stream()
          .map(n -> new ZoneConditions.Stock(Duration.ZERO, n.intValue()))
          .toList();
    var all = new ArrayList<ZoneConditions.Stock>();
    for (var change : zone.objects("machines", STOCK_FIELDS)) {
      if (!change.has("count"))
        change.add("count", "is missing; write how many machines there are");
      change
          .integer("count", 0, MOST_MACHINES)
          .ifPresent(n -> all.add(new ZoneConditions.Stock(at(change), n.intValue())));
    }
    return all;
  }

  private static Duration at(ScenarioFields entry) {
    return entry.duration("at").orElse(Duration.ZERO);
  }

  private static List<ZoneConditions.Loss> losses(ScenarioFields zone) {
    return zone.objects("losses", LOSS_FIELDS).stream()
        .map(it -> new ZoneConditions.Loss(at(it), number(it, "count"), it.flag("notice", true)))
        .toList();
  }

  /** So many, or one. */
  private static int number(ScenarioFields entry, String field) {
    return entry.integer(field, 0, MOST_MACHINES).orElse(1L).intValue();
  }

  /** What is published, drained and allowed at certain times. */
  Experiment.Events events(ScenarioFields fields) {
    var commands = new ArrayList<OperatorActions.PlannedCommand>();
    var drains = new ArrayList<Experiment.Drain>();
    for (var entry : fields.objects("commands", COMMAND_FIELDS)) {
      var at = at(entry);
      if (entry.has("drain"))
        drains.add(new Experiment.Drain(at, known(entry, "drain"), number(entry, "workers")));
      else
        documents
            .command(entry, cluster.name())
            .ifPresent(it -> commands.add(new OperatorActions.PlannedCommand(at, it)));
    }
    var quotas =
        fields.objects("quotas", QUOTA_FIELDS).stream()
            .map(it ->
                new Experiment.Quota(
                    at(it), it.required("region", "us-central1"), number(it, "machines")))
            .toList();
    return new Experiment.Events(commands, drains, quotas);
  }
}
