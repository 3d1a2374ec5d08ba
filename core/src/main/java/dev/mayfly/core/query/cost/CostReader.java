package dev.mayfly.core.query.cost;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineShares;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.port.Ledger;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Adds up what a cluster's machines cost: what ended machines left by day, and what living ones
 * have counted until now. A reading changes nothing.
 */
public final class CostReader {
  /** The most groups of an answer; the others are one more. */
  public static final int MOST_GROUPS = 500;

  private static final int KEYS = 500;

  private final Ledger ledger;
  private final InstantSource clock;

  public CostReader(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  public ClusterCost read(Cluster cluster, CostRequest request) {
    var now = clock.instant();
    var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    var month = today.withDayOfMonth(1);
    var first = request.since().isBefore(month) ? request.since() : month;
    var reading = new UsageReader(ledger, cluster.uid(), first).read(now);
    var only = request.job().map(Job::uid);
    var read =
        reading.all(first).stream()
            .filter(row -> only.isEmpty() || row.job().equals(only))
            .toList();
    var rows = since(read, request.since());
    var paid = reading.workers().stream().filter(CostReader::isPaidFor).toList();
    return new ClusterCost(
        cluster.spec().name(),
        request.job().map(job -> job.spec().address()).orElse(""),
        request.by(),
        request.since(),
        now,
        paid.stream().flatMap(w -> price(w).stream()).mapToDouble(usd -> usd).sum(),
        paid.size(),
        (int) paid.stream().filter(w -> price(w).isEmpty()).count(),
        total(since(read, today)).total(),
        total(since(read, month)).total(),
        cluster.spec().usdPerMonth().filter(_ -> only.isEmpty()),
        total(rows),
        most(groups(request.by(), rows, cluster.uid())),
        reading.leftOut(),
        List.of(),
        List.of());
  }

  private static List<Usage.Row> since(List<Usage.Row> rows, LocalDate day) {
    return rows.stream().filter(row -> !row.day().isBefore(day)).toList();
  }

  private static CostGroup total(List<Usage.Row> rows) {
    return CostGroup.of("total", Optional.empty(), rows);
  }

  private static boolean isPaidFor(Worker worker) {
    return worker.usage().filter(usage -> !usage.waits()).isPresent()
        && !MachineShares.of(worker.state(), List.of()).isEmpty();
  }

  private static Optional<Double> price(Worker worker) {
    return worker.usage().flatMap(MachineUsage::usdPerHour);
  }

  private List<CostGroup> groups(CostBy by, List<Usage.Row> rows, String cluster) {
    return switch (by) {
      case DAY ->
          new TreeMap<>(rows.stream().collect(Collectors.groupingBy(Usage.Row::day)))
              .entrySet().stream()
                  .map(e -> CostGroup.of(e.getKey().toString(), Optional.empty(), e.getValue()))
                  .toList();
      case POOL -> named(rows.stream().collect(Collectors.groupingBy(Usage.Row::pool)));
      case ZONE -> named(rows.stream().collect(Collectors.groupingBy(Usage.Row::zone)));
      case OWNER -> {
        var jobs = jobs(cluster, rows);
        yield named(
            rows.stream()
                .collect(
                    Collectors.groupingBy(
                        row -> row.job().map(uid -> owner(jobs, uid)).orElse(CostGroup.NO_JOB))));
      }
      case JOB -> byJob(jobs(cluster, rows), rows);
    };
  }

  private static String owner(Map<String, Job> jobs, String uid) {
    return Optional.ofNullable(jobs.get(uid))
        .map(job -> job.spec().owner().orElse(CostGroup.NO_OWNER))
        .orElse(CostGroup.DELETED);
  }

  private static List<CostGroup> byJob(Map<String, Job> jobs, List<Usage.Row> rows) {
    var groups = new ArrayList<CostGroup>();
    rows.stream()
        .collect(Collectors.groupingBy(Usage.Row::job))
        .forEach((uid, some) -> groups.add(CostGroup.of(name(jobs, uid), uid, some)));
    return expensiveFirst(groups);
  }

  private static String name(Map<String, Job> jobs, Optional<String> uid) {
    if (uid.isEmpty()) return CostGroup.NO_JOB;
    var job = Optional.ofNullable(jobs.get(uid.get()));
    return job.map(it -> it.spec().address()).orElse(CostGroup.DELETED);
  }

  private static List<CostGroup> named(Map<String, List<Usage.Row>> byName) {
    return expensiveFirst(
        byName.entrySet().stream()
            .map(e -> CostGroup.of(e.getKey(), Optional.empty(), e.getValue()))
            .toList());
  }

  private static List<CostGroup> expensiveFirst(List<CostGroup> groups) {
    return groups.stream()
        .sorted(
            Comparator.comparingDouble((CostGroup it) -> -it.total().usd())
                .thenComparingDouble(it -> -it.total().hours())
                .thenComparing(CostGroup::name))
        .toList();
  }

  /** Days stay in their order: there are fewer of them. */
  private static List<CostGroup> most(List<CostGroup> groups) {
    if (groups.size() <= MOST_GROUPS) return groups;
    var some = new ArrayList<>(groups.subList(0, MOST_GROUPS));
    var others = groups.subList(MOST_GROUPS, groups.size());
    some.add(
        others.stream()
            .reduce(
                CostGroup.of("(%d others)".formatted(others.size()), Optional.empty(), List.of()),
                CostGroup::plus));
    return some;
  }

  /** By uid; without those that are deleted, or that cannot be read. */
  private Map<String, Job> jobs(String cluster, List<Usage.Row> rows) {
    var uids = rows.stream().flatMap(row -> row.job().stream()).distinct().toList();
    var jobs = new HashMap<String, Job>();
    for (var from = 0; from < uids.size(); from += KEYS) {
      var keys =
          uids.subList(from, Math.min(uids.size(), from + KEYS)).stream()
              .map(uid -> new DocumentKey.OfJob(cluster, uid))
              .toList();
      for (var job : ledger.readAll(keys).readableOnly()) jobs.put(job.value().uid(), job.value());
    }
    return jobs;
  }
}
