package dev.mayfly.core.plan;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Stockout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The memory of refusals. Each weighs one when it is seen and half as much every five minutes; a
 * place whose refusals weigh a half or more is not asked. So a zone that was out of stock once is
 * asked again after five minutes, and one that keeps refusing more and more seldom.
 *
 * <p>A refusal is remembered for a zone and a machine type; for want of quota, for the region; for
 * what only a person can mend, for the pool.
 */
public final class Stock {
  static final Duration HALF_LIFE = Duration.ofMinutes(5);
  static final Duration MEMORY = Duration.ofMinutes(30);
  static final double VETO = 0.5;

  /** Of a refusal that nobody understands: the third within a few minutes rests the zone. */
  static final double UNCLEAR = 0.2;

  private static final String UNCLEAR_MARK = "unclear.";

  private final Instant now;
  private final Map<String, Stockout> known = new HashMap<>();

  public Stock(List<Stockout> stockouts, Instant now) {
    this.now = now;
    for (var s : stockouts) known.put(s.key().path(), s);
  }

  /** What a refusal is remembered under when it is about this pool alone. */
  public static String ofPool(Cluster cluster, String pool) {
    return ofPool(cluster.uid(), pool);
  }

  /** The same of a cluster's uid. */
  public static String ofPool(String cluster, String pool) {
    return "pool." + cluster + "." + pool;
  }

  /** What refusals are remembered under that say nothing about stock, quota or rights. */
  public static String unclear(String machineType) {
    return UNCLEAR_MARK + machineType;
  }

  /**
   * What refusals for want of stock or quota are remembered under: spot machines and others of one
   * type are not out of stock together, nor of one quota.
   */
  public static String kind(Provisioning how, String machineType) {
    return how == Provisioning.SPOT ? machineType : machineType + "." + how.word();
  }

  /** The region of a zone: {@code us-central1} of {@code us-central1-a}. */
  public static String region(String zone) {
    return Location.region(zone);
  }

  /** The zone to ask, which is the one that refused least; ties go to the spec's order. */
  Optional<String> best(Cluster cluster, PoolSpec pool, Place place) {
    return pool.zones().stream()
        .filter(place::zone)
        .filter(z -> veto(cluster, pool, z).isEmpty())
        .min(Comparator.comparingDouble(z -> score(cluster, pool, z)));
  }

  List<String> vetoes(Cluster cluster, PoolSpec pool, Place place) {
    return pool.zones().stream()
        .filter(place::zone)
        .flatMap(z -> veto(cluster, pool, z).stream())
        .toList();
  }

  private Optional<String> veto(Cluster cluster, PoolSpec pool, String zone) {
    if (score(cluster, pool, zone) < VETO) return Optional.empty();
    var last =
        memories(cluster, pool, zone).stream()
            .max(Comparator.comparing(s -> s.seen().getLast()))
            .orElseThrow();
    var ago = Duration.between(last.seen().getLast(), now);
    return Optional.of(
        "%s refused %s %s ago (%s)"
            .formatted(last.zone(), said(pool), Spans.say(ago), last.code()));
  }

  private static String said(PoolSpec pool) {
    var how = pool.provisioning();
    return pool.machineType() + (how == Provisioning.SPOT ? "" : " (" + how.word() + ")");
  }

  private double score(Cluster cluster, PoolSpec pool, String zone) {
    return memories(cluster, pool, zone).stream().mapToDouble(this::weight).sum();
  }

  private List<Stockout> memories(Cluster cluster, PoolSpec pool, String zone) {
    var some = new ArrayList<Stockout>();
    var kind = kind(pool.provisioning(), pool.machineType());
    add(some, zone, kind);
    add(some, region(zone), kind);
    add(some, zone, ofPool(cluster, pool.name()));
    add(some, zone, unclear(pool.machineType()));
    return some;
  }

  private void add(List<Stockout> some, String place, String what) {
    var memory = known.get(new Key.OfStockout(place, what).path());
    if (memory != null && !memory.seen().isEmpty()) some.add(memory);
  }

  private double weight(Stockout memory) {
    var sum = 0.0;
    for (var at : memory.seen()) {
      var age = Duration.between(at, now);
      if (age.compareTo(MEMORY) <= 0)
        sum += Math.pow(0.5, Math.max(0, age.toMillis()) / (double) HALF_LIFE.toMillis());
    }
    return memory.machineType().startsWith(UNCLEAR_MARK) ? sum * UNCLEAR : sum;
  }
}
