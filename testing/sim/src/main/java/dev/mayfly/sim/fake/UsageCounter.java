package dev.mayfly.sim.fake;

import dev.mayfly.sim.engine.SimTime;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what a world would be charged for: ledger operations as Firestore counts them, messages,
 * calls of functions and for how long their instances were busy, and calls of the object store.
 *
 * <p>A read is a document returned, a query that finds nothing, a key that is asked for in vain, or
 * a thousand entries of an aggregation. A batch that conflicts writes nothing and is told apart.
 */
public final class UsageCounter {
  private static final String CORE = "dev.mayfly.core.";

  /** The assumed duration of a call that a message starts. */
  public static final Duration EVENT = Duration.ofMillis(500);

  /** What is counted. LISTENED are reads too, told to a watch. */
  public enum Kind {
    READ,
    LISTENED,
    WRITE,
    DELETE,
    CONFLICT,
    PUBLISHED,
    DELIVERED,
    SYNCED,
    OBJECT_CLASS_A,
    OBJECT_CLASS_B
  }

  /**
   * The counts at a moment, or between two.
   *
   * @param busy for how long instances that hold calls of agents had at least one, added up
   * @param events for how long instances of functions that messages start had at least one call, by
   *     the function's name
   */
  public record Reading(
      Instant at, Map<Kind, Long> counts, Duration busy, Map<String, Duration> events) {
    public Reading {
      counts = Map.copyOf(counts);
      events = Map.copyOf(events);
    }

    public long of(Kind kind) {
      return counts.getOrDefault(kind, 0L);
    }

    /** All that the ledger charges for. */
    public long operations() {
      return of(Kind.READ) + of(Kind.LISTENED) + of(Kind.WRITE) + of(Kind.DELETE);
    }

    public Reading since(Reading before) {
      var more = new EnumMap<Kind, Long>(Kind.class);
      counts.forEach((kind, n) -> more.put(kind, n - before.of(kind)));
      var longer = new TreeMap<String, Duration>();
      events.forEach(
          (name, d) -> longer.put(name, d.minus(before.events.getOrDefault(name, Duration.ZERO))));
      return new Reading(at, more, busy.minus(before.busy), longer);
    }
  }

  private final SimTime time;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<String, Instant> busySince = new HashMap<>();
  private final Map<String, Long> places = new TreeMap<>();
  private final Map<String, Instant> openUntil = new HashMap<>();
  private final Map<String, Duration> events = new TreeMap<>();
  private Duration busy = Duration.ZERO;
  private boolean placed;

  public UsageCounter(SimTime time) {
    this.time = time;
  }

  public void add(Kind kind, long n) {
    counts.merge(kind, n, Long::sum);
    var ledger = kind.compareTo(Kind.CONFLICT) <= 0;
    if (placed && ledger) places.merge(kind + " " + place(), n, Long::sum);
  }

  /** A call of the object store, by the name that hooks have for it; a delete is free. */
  public void object(String call) {
    switch (call) {
      case "objects.create", "objects.replace", "objects.list" -> add(Kind.OBJECT_CLASS_A, 1);
      case "objects.find", "objects.read", "objects.open" -> add(Kind.OBJECT_CLASS_B, 1);
      default -> {}
    }
  }

  /** Whether an instance has a call open from now on. */
  public void busy(String instance, boolean now) {
    if (now) busySince.putIfAbsent(instance, time.instant());
    else {
      var since = busySince.remove(instance);
      if (since != null) busy = busy.plus(Duration.between(since, time.instant()));
    }
  }

  /**
   * A call of a function that messages start is open until then. An instance is paid for once,
   * however many calls it has open.
   */
  public void open(String function, String instance, Instant until) {
    var now = time.instant();
    var since = openUntil.getOrDefault(function + " " + instance, now);
    var from = since.isAfter(now) ? since : now;
    if (!until.isAfter(from)) return;
    openUntil.put(function + " " + instance, until);
    events.merge(function, Duration.between(from, until), Duration::plus);
  }

  public Reading read() {
    var sum = busy;
    for (var since : busySince.values()) sum = sum.plus(Duration.between(since, time.instant()));
    return new Reading(time.instant(), counts, sum, events);
  }

  /** From now on also by the place in the program that asked, which is slow. */
  public void byPlace() {
    placed = true;
    places.clear();
  }

  /** Ledger operations by kind and place, most first. */
  public List<String> places() {
    return places.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(e -> "%,10d  %s".formatted(e.getValue(), e.getKey()))
        .toList();
  }

  private static String place() {
    return StackWalker.getInstance()
        .walk(frames ->
            frames
                .filter(f -> isUseCase(f.getClassName()))
                .limit(3)
                .map(f -> f.getClassName().substring(CORE.length()) + "." + f.getMethodName())
                .reduce((a, b) -> a + " < " + b)
                .orElse("elsewhere"));
  }

  private static boolean isUseCase(String type) {
    return type.startsWith(CORE) && !type.startsWith(CORE + "port.");
  }
}
