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
 * Counts a world's billable operations: ledger operations as Firestore counts them, messages,
 * function calls, the busy time of their instances, and calls of the object store.
 *
 * <p>A read is a returned document, an empty query, a missing key, or a thousand entries of an
 * aggregation. A batch that conflicts writes nothing and is counted separately.
 */
public final class UsageCounter {
  private static final String CORE = "dev.mayfly.core.";

  /** The assumed duration of a call started by a message. */
  private static final Duration EVENT = Duration.ofMillis(500);

  /** The same of cleanup's, which lists machines, disks, addresses and TPUs of all zones. */
  private static final Duration SWEEP = Duration.ofMillis(1_500);

  /** The same of a message that is for another function; Cloud Run bills tenths of a second. */
  private static final Duration LEFT = Duration.ofMillis(100);

  /** The kinds of operations. LISTENED are reads by a watch. */
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
   * @param busy total time in which instances had at least one open call of an agent
   * @param events total time in which instances of message-driven functions had at least one open
   *     call, by function
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

    /** All billable ledger operations. */
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

  /** Counts a call of the object store, by its hook name; a delete is free. */
  public void object(String call) {
    switch (call) {
      case "objects.create", "objects.replace", "objects.list" -> add(Kind.OBJECT_CLASS_A, 1);
      case "objects.find", "objects.read", "objects.open" -> add(Kind.OBJECT_CLASS_B, 1);
      default -> {}
    }
  }

  /** How long a message-driven function's call is assumed to last. */
  public static Duration lasts(String function) {
    return function.equals("cleanup") ? SWEEP : EVENT;
  }

  /** Counts a message that a function gets and leaves, because it is for another one. */
  public void left(String function) {
    add(Kind.DELIVERED, 1);
    events.merge(function, LEFT, Duration::plus);
  }

  /** Records that an instance has an open call, or none. */
  public void busy(String instance, boolean now) {
    if (now) busySince.putIfAbsent(instance, time.instant());
    else {
      var since = busySince.remove(instance);
      if (since != null) busy = busy.plus(Duration.between(since, time.instant()));
    }
  }

  /**
   * Records an open call of a message-driven function. An instance is billed once, however many
   * open calls it has.
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

  /** Also counts by calling code, which is slow. */
  public void byPlace() {
    placed = true;
    places.clear();
  }

  /** Ledger operations by kind and calling code, most frequent first. */
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
