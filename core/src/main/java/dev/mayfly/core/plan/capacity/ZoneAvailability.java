package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.catalog.TpuTypes;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Remembers refusals. Each has weight one when seen, halved every five minutes; a place whose
 * refusals weigh a half or more is not asked. A zone that was out of stock once is thus asked again
 * after five minutes, and a zone that keeps refusing is asked less and less often.
 *
 * <p>A refusal for lack of stock is remembered for a zone and a machine type; for lack of quota,
 * for the region, and with TPUs for larger types of the generation too. Either ends when a machine
 * of ours gives its room back ({@link ReturnedRoom}). One that only a person can fix is remembered
 * for the pool, and so is a machine that the cloud ran and that never reported; one that the cloud
 * never started, for its type. A machine taken back soon after its start is a weak refusal: one
 * gives other zones precedence, and the third within twenty minutes pauses the zone.
 *
 * <p>Failures after successful launches are remembered here too, with growing pauses: a gang that a
 * zone could not hold, and a pool whose machines can run no task.
 */
public final class ZoneAvailability {
  static final Duration HALF_LIFE = Duration.ofMinutes(5);
  public static final Duration MEMORY = Duration.ofMinutes(30);
  static final double VETO = 0.5;

  /** The weight of an unclear refusal: the third within a few minutes pauses the zone. */
  static final double UNCLEAR = 0.2;

  /** The weight of a short-lived machine: the third within twenty minutes pauses the zone. */
  public static final double SHORT_LIVED = 0.25;

  /** Longer, because short lives show only after a start: the memory must span several. */
  private static final Duration SHORT_LIVED_HALF_LIFE = Duration.ofMinutes(15);

  /** A machine that ends within this time after its first sync is short-lived. */
  public static final Duration SHORT_LIFE = Duration.ofMinutes(10);

  static final ExponentialBackoff GANGS =
      new ExponentialBackoff(Duration.ofMinutes(5), Duration.ofHours(1), Duration.ofHours(6));

  private static final String POOL_MARK = "pool.";
  private static final String UNCLEAR_MARK = "unclear.";
  private static final String SHORT_LIVED_MARK = "short.";
  private static final String LOST_MARK = SHORT_LIVED_MARK + "lost.";

  private final Instant now;
  private final Map<String, Stockout> known = new HashMap<>();
  private final boolean gangs;
  private final ReturnedRoom returnedRoom;

  public ZoneAvailability(List<Stockout> stockouts, Instant now) {
    this.now = now;
    for (var s : stockouts) known.put(s.key().path(), s);
    returnedRoom = new ReturnedRoom(stockouts);
    gangs = stockouts.stream().anyMatch(s -> s.machineType().startsWith("gang"));
  }

  /** The key of a refusal that concerns this pool alone. */
  public static String poolKey(Cluster cluster, String pool) {
    return poolKey(cluster.uid(), pool);
  }

  /** The same, by the cluster's uid. */
  public static String poolKey(String cluster, String pool) {
    return POOL_MARK + cluster + "." + pool;
  }

  /** The key of refusals that concern neither stock, quota nor rights. */
  public static String unclearKey(String machineType) {
    return UNCLEAR_MARK + machineType;
  }

  /** The key of machines taken back soon after their first sync. */
  public static String shortLivedKey(String kind) {
    return SHORT_LIVED_MARK + kind;
  }

  /** The key of machines that were lost, not taken back, soon after their first sync. */
  public static String soonLostKey(String kind) {
    return LOST_MARK + kind;
  }

  /** The key of a zone that had only some machines of a gang. */
  public static String gangKey(int size, String kind) {
    return "gang" + size + "." + kind;
  }

  /** The place under which machines that could run no task are remembered. */
  public static final String UNFIT = "unfit";

  /**
   * The key of refusals for lack of stock or quota. Spot machines and others of one type differ in
   * stock and in quota.
   */
  public static String kind(Provisioning how, String machineType) {
    return how == Provisioning.SPOT ? machineType : machineType + "." + how.word();
  }

  /** Whether machines of the pool may be requested in the zone. */
  public boolean mayAsk(Cluster cluster, PoolSpec pool, String zone) {
    return score(cluster, pool, zone) < VETO;
  }

  /**
   * Until when the zone is not asked for a gang of {@code size}, because it could not hold one of
   * that size or smaller, and no machines for one came back since.
   */
  public Optional<Instant> gangsAllowedFrom(PoolSpec pool, String zone, int size) {
    var kind = kind(pool.provisioning(), pool.machineType());
    Optional<Instant> latest = Optional.empty();
    for (var n = 2; n <= size && gangs; n++) {
      var memory = known.get(new DocumentKey.OfStockout(zone, gangKey(n, kind)).path());
      if (memory == null || hasRoomSince(memory, pool, size)) continue;
      var until = GANGS.until(memory.seen(), now);
      if (until.isPresent() && latest.filter(l -> !l.isBefore(until.get())).isEmpty())
        latest = until;
    }
    return latest;
  }

  private boolean hasRoomSince(Stockout memory, PoolSpec pool, int gang) {
    var last = memory.seen().stream().max(Comparator.naturalOrder());
    return last.isEmpty()
        || returnedRoom.isEnough(
            memory.zone(), pool.provisioning(), pool.machineType(), gang, last.get());
  }

  /** When machines of the pool could run no task, and what the last one lacked. */
  Optional<Stockout> unfit(Cluster cluster, PoolSpec pool) {
    return Optional.ofNullable(
        known.get(new DocumentKey.OfStockout(UNFIT, poolKey(cluster, pool.name())).path()));
  }

  /** The allowed zone with fewest refusals, then least cost; ties go to the spec's order. */
  public Optional<String> bestZone(
      Cluster cluster, PoolSpec pool, Predicate<String> allowed, ToDoubleFunction<String> cost) {
    return pool.zones().stream()
        .filter(allowed)
        .filter(z -> veto(cluster, pool, z).isEmpty())
        .min(
            Comparator.<String>comparingDouble(z -> score(cluster, pool, z))
                .thenComparingDouble(cost));
  }

  /** Why none of the allowed zones is asked; empty if one may be. */
  public List<Veto> vetoes(Cluster cluster, PoolSpec pool, Placement placement) {
    return pool.zones().stream()
        .filter(placement::allowsZone)
        .flatMap(z -> veto(cluster, pool, z).stream())
        .toList();
  }

  /** Why the zone is asked for no machine of the pool. */
  public Optional<Veto> veto(Cluster cluster, PoolSpec pool, String zone) {
    var memories = memories(cluster, pool, zone);
    if (weight(memories, now) < VETO) return Optional.empty();
    var last = memories.stream().max(Comparator.comparing(s -> s.seen().getLast())).orElseThrow();
    return Optional.of(veto(last, pool, zone, Optional.of(next(memories))));
  }

  /** What is remembered of the zone and these machines, also if it may be asked now. */
  public List<ZoneVeto> recent(Cluster cluster, PoolSpec pool, String zone) {
    var memories = memories(cluster, pool, zone);
    var next =
        weight(memories, now) < VETO ? Optional.<Instant>empty() : Optional.of(next(memories));
    return memories.stream()
        .filter(memory -> recentCount(memory) > 0)
        .map(memory -> veto(memory, pool, zone, next))
        .distinct()
        .toList();
  }

  /**
   * The last refusal for lack of stock or quota that is remembered, whatever happened since; empty
   * if the zone refused none.
   */
  public Optional<ZoneVeto.Refused> lastRefusal(PoolSpec pool, String zone) {
    return lacks(pool, zone).stream()
        .filter(memory -> recentCount(memory) > 0)
        .max(Comparator.comparing(s -> s.seen().getLast()))
        .map(memory -> refused(memory, pool, zone, Optional.empty()));
  }

  /** Whether it may be asked only because room came back: how much that is, nobody knows. */
  boolean isReopened(PoolSpec pool, String zone) {
    return weight(lacks(pool, zone), now) >= VETO;
  }

  private List<Stockout> lacks(PoolSpec pool, String zone) {
    var how = pool.provisioning();
    var some = new ArrayList<Stockout>();
    add(some, zone, kind(how, pool.machineType()));
    for (var type : TpuTypes.upTo(pool.machineType()))
      add(some, StorageLocation.region(zone), kind(how, type));
    return some;
  }

  private ZoneVeto veto(Stockout memory, PoolSpec pool, String zone, Optional<Instant> next) {
    var kind = kind(pool.provisioning(), pool.machineType());
    if (memory.machineType().startsWith(SHORT_LIVED_MARK))
      return UnbootedMachines.shortLived(
          memory(zone, shortLivedKey(kind)),
          memory(zone, soonLostKey(kind)),
          pool,
          zone,
          now,
          next);
    if (UnbootedMachines.isKey(memory.machineType()))
      return UnbootedMachines.veto(memory, pool, zone, recentCount(memory), next);
    return refused(memory, pool, zone, next);
  }

  private ZoneVeto.Refused refused(
      Stockout memory, PoolSpec pool, String zone, Optional<Instant> next) {
    return new ZoneVeto.Refused(
        cause(memory, zone),
        pool.name(),
        zone,
        memory.zone(),
        pool.machineType(),
        pool.provisioning(),
        memory.code(),
        memory.said().orElse(""),
        recentCount(memory),
        memory.seen().getLast(),
        next);
  }

  private static ZoneVeto.Cause cause(Stockout memory, String zone) {
    if (!memory.zone().equals(zone)) return ZoneVeto.Cause.QUOTA;
    if (memory.machineType().startsWith(POOL_MARK)) return ZoneVeto.Cause.SPEC;
    if (memory.machineType().startsWith(UNCLEAR_MARK)) return ZoneVeto.Cause.UNCLEAR;
    return ZoneVeto.Cause.STOCK;
  }

  /** When the refusals weigh too little to pause: to the second, and later rather than earlier. */
  private Instant next(List<Stockout> memories) {
    var paused = 0L;
    var open = MEMORY.toSeconds() + 1;
    while (open - paused > 1) {
      var middle = (paused + open) / 2;
      if (weight(memories, now.plusSeconds(middle)) < VETO) open = middle;
      else paused = middle;
    }
    return now.plusSeconds(open);
  }

  private long recentCount(Stockout memory) {
    return memory.seen().stream().filter(at -> at.plus(MEMORY).isAfter(now)).count();
  }

  public double score(Cluster cluster, PoolSpec pool, String zone) {
    return weight(memories(cluster, pool, zone), now);
  }

  private List<Stockout> memories(Cluster cluster, PoolSpec pool, String zone) {
    var some = new ArrayList<Stockout>();
    var kind = kind(pool.provisioning(), pool.machineType());
    addStanding(some, zone, kind, pool);
    for (var type : TpuTypes.upTo(pool.machineType()))
      addStanding(some, StorageLocation.region(zone), kind(pool.provisioning(), type), pool);
    add(some, zone, poolKey(cluster, pool.name()));
    add(some, zone, unclearKey(pool.machineType()));
    add(some, zone, shortLivedKey(kind));
    add(some, zone, soonLostKey(kind));
    for (var key : UnbootedMachines.keys(cluster, pool)) add(some, zone, key);
    return some;
  }

  private void add(List<Stockout> some, String place, String what) {
    memory(place, what).ifPresent(some::add);
  }

  /** A refusal for lack of stock or quota, unless room came back since. */
  private void addStanding(List<Stockout> some, String place, String what, PoolSpec pool) {
    memory(place, what)
        .flatMap(m -> returnedRoom.standing(m, pool.provisioning(), pool.machineType()))
        .ifPresent(some::add);
  }

  private Optional<Stockout> memory(String place, String what) {
    return Optional.ofNullable(known.get(new DocumentKey.OfStockout(place, what).path()))
        .filter(memory -> !memory.seen().isEmpty());
  }

  private static double weight(List<Stockout> memories, Instant then) {
    return memories.stream().mapToDouble(memory -> weight(memory, then)).sum();
  }

  private static double weight(Stockout memory, Instant then) {
    var shortLived = memory.machineType().startsWith(SHORT_LIVED_MARK);
    var half = (double) (shortLived ? SHORT_LIVED_HALF_LIFE : HALF_LIFE).toMillis();
    var sum = 0.0;
    for (var at : memory.seen()) {
      var age = Duration.between(at, then);
      if (age.compareTo(MEMORY) <= 0)
        sum += StrictMath.pow(0.5, Math.max(0, age.toMillis()) / half);
    }
    if (shortLived) return sum * SHORT_LIVED;
    return memory.machineType().startsWith(UNCLEAR_MARK) ? sum * UNCLEAR : sum;
  }
}
