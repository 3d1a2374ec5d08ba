package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.catalog.TpuTypes;
import dev.mayfly.core.text.HumanDuration;
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
 * <p>A refusal is remembered for a zone and a machine type; for want of quota, for the region, and
 * of TPUs for larger ones of the generation too; for what only a person can mend, for the pool. A
 * machine that the zone took back soon after it gave it is a weak refusal: the third time in twenty
 * minutes rests the zone, and one lets others go first.
 *
 * <p>What failed although machines were had is remembered here too, with pauses that grow: a gang
 * that a zone could not hold, and a pool whose machines can run no task.
 */
public final class ZoneAvailability {
  static final Duration HALF_LIFE = Duration.ofMinutes(5);
  static final Duration MEMORY = Duration.ofMinutes(30);
  static final double VETO = 0.5;

  /** Of a refusal that nobody understands: the third within a few minutes rests the zone. */
  static final double UNCLEAR = 0.2;

  /** Of machines that were taken back soon: the third time in twenty minutes rests the zone. */
  static final double SHORT_LIVED = 0.25;

  /** They show only after a start, so that what is remembered of them has to last for several. */
  private static final Duration SHORT_LIVED_HALF_LIFE = Duration.ofMinutes(15);

  /** A machine that ends sooner after it spoke is remembered. */
  public static final Duration SHORT_LIFE = Duration.ofMinutes(10);

  static final ExponentialBackoff GANGS =
      new ExponentialBackoff(Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofHours(6));

  private static final String UNCLEAR_MARK = "unclear.";
  private static final String SHORT_LIVED_MARK = "short.";

  private final Instant now;
  private final Map<String, Stockout> known = new HashMap<>();
  private final boolean gangs;

  public ZoneAvailability(List<Stockout> stockouts, Instant now) {
    this.now = now;
    for (var s : stockouts) known.put(s.key().path(), s);
    gangs = stockouts.stream().anyMatch(s -> s.machineType().startsWith("gang"));
  }

  /** What a refusal is remembered under when it is about this pool alone. */
  public static String poolKey(Cluster cluster, String pool) {
    return poolKey(cluster.uid(), pool);
  }

  /** The same of a cluster's uid. */
  public static String poolKey(String cluster, String pool) {
    return "pool." + cluster + "." + pool;
  }

  /** What refusals are remembered under that say nothing about stock, quota or rights. */
  public static String unclearKey(String machineType) {
    return UNCLEAR_MARK + machineType;
  }

  /** What machines are remembered under that were taken back soon after they spoke. */
  public static String shortLivedKey(String kind) {
    return SHORT_LIVED_MARK + kind;
  }

  /** What is remembered of a zone that had some machines of a gang and not all. */
  public static String gangKey(int size, String kind) {
    return "gang" + size + "." + kind;
  }

  /** The place under which machines of a pool are remembered that could run no task. */
  public static final String UNFIT = "unfit";

  /**
   * What refusals for want of stock or quota are remembered under: spot machines and others of one
   * type are not out of stock together, nor of one quota.
   */
  public static String kind(Provisioning how, String machineType) {
    return how == Provisioning.SPOT ? machineType : machineType + "." + how.word();
  }

  /** The region of a zone: {@code us-central1} of {@code us-central1-a}. */
  public static String region(String zone) {
    return StorageLocation.region(zone);
  }

  /** Whether the zone may be asked for machines of the pool. */
  public boolean mayAsk(Cluster cluster, PoolSpec pool, String zone) {
    return score(cluster, pool, zone) < VETO;
  }

  /**
   * Until when the zone is not asked for a gang of so many again, because it could not hold one as
   * large or a smaller one.
   */
  public Optional<Instant> gangsAllowedFrom(PoolSpec pool, String zone, int size) {
    var kind = kind(pool.provisioning(), pool.machineType());
    Optional<Instant> latest = Optional.empty();
    for (var n = 2; n <= size && gangs; n++) {
      var memory = known.get(new DocumentKey.OfStockout(zone, gangKey(n, kind)).path());
      var until = memory == null ? latest : GANGS.until(memory.seen(), now);
      if (until.isPresent() && latest.filter(l -> !l.isBefore(until.get())).isEmpty())
        latest = until;
    }
    return latest;
  }

  /** When machines of the pool were seen that could run no task, and what the last one lacked. */
  Optional<Stockout> unfit(Cluster cluster, PoolSpec pool) {
    return Optional.ofNullable(
        known.get(new DocumentKey.OfStockout(UNFIT, poolKey(cluster, pool.name())).path()));
  }

  /** The zone to ask, which is the one that refused least; ties go to the spec's order. */
  public Optional<String> bestZone(Cluster cluster, PoolSpec pool, Placement placement) {
    return pool.zones().stream()
        .filter(placement::allowsZone)
        .filter(z -> veto(cluster, pool, z).isEmpty())
        .min(Comparator.comparingDouble(z -> score(cluster, pool, z)));
  }

  public List<String> vetoes(Cluster cluster, PoolSpec pool, Placement placement) {
    return pool.zones().stream()
        .filter(placement::allowsZone)
        .flatMap(z -> veto(cluster, pool, z).stream())
        .toList();
  }

  public Optional<String> veto(Cluster cluster, PoolSpec pool, String zone) {
    if (score(cluster, pool, zone) < VETO) return Optional.empty();
    var last =
        memories(cluster, pool, zone).stream()
            .max(Comparator.comparing(s -> s.seen().getLast()))
            .orElseThrow();
    var ago = Duration.between(last.seen().getLast(), now);
    if (last.machineType().startsWith(SHORT_LIVED_MARK))
      return Optional.of(
          "%s took %s back within %s of its start, %d times lately, the last %s ago"
              .formatted(
                  zone,
                  said(pool),
                  HumanDuration.format(SHORT_LIFE),
                  fresh(last),
                  HumanDuration.format(ago)));
    return Optional.of(
        "%s refused %s %s ago (%s)"
            .formatted(last.zone(), said(pool), HumanDuration.format(ago), last.code()));
  }

  private static String said(PoolSpec pool) {
    var how = pool.provisioning();
    return pool.machineType() + (how == Provisioning.SPOT ? "" : " (" + how.word() + ")");
  }

  private long fresh(Stockout memory) {
    return memory.seen().stream().filter(at -> at.plus(MEMORY).isAfter(now)).count();
  }

  public double score(Cluster cluster, PoolSpec pool, String zone) {
    return memories(cluster, pool, zone).stream().mapToDouble(this::weight).sum();
  }

  private List<Stockout> memories(Cluster cluster, PoolSpec pool, String zone) {
    var some = new ArrayList<Stockout>();
    var kind = kind(pool.provisioning(), pool.machineType());
    add(some, zone, kind);
    for (var type : TpuTypes.upTo(pool.machineType()))
      add(some, region(zone), kind(pool.provisioning(), type));
    add(some, zone, poolKey(cluster, pool.name()));
    add(some, zone, unclearKey(pool.machineType()));
    add(some, zone, shortLivedKey(kind));
    return some;
  }

  private void add(List<Stockout> some, String place, String what) {
    var memory = known.get(new DocumentKey.OfStockout(place, what).path());
    if (memory != null && !memory.seen().isEmpty()) some.add(memory);
  }

  private double weight(Stockout memory) {
    var shortLived = memory.machineType().startsWith(SHORT_LIVED_MARK);
    var half = (double) (shortLived ? SHORT_LIVED_HALF_LIFE : HALF_LIFE).toMillis();
    var sum = 0.0;
    for (var at : memory.seen()) {
      var age = Duration.between(at, now);
      if (age.compareTo(MEMORY) <= 0) sum += Math.pow(0.5, Math.max(0, age.toMillis()) / half);
    }
    if (shortLived) return sum * SHORT_LIVED;
    return memory.machineType().startsWith(UNCLEAR_MARK) ? sum * UNCLEAR : sum;
  }
}
