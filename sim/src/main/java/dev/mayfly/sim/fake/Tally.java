package dev.mayfly.sim.fake;

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
public final class Tally {
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
   * @param busy for how long instances that hold calls had at least one, added up
   * @param waited for how long calls of events waited inside for their rounds, added up by instance
   */
  public record Reading(Instant at, Map<Kind, Long> counts, Duration busy, Duration waited) {
    public Reading {
      counts = Map.copyOf(counts);
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
      return new Reading(at, more, busy.minus(before.busy), waited.minus(before.waited));
    }
  }

  private final SimTime time;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<String, Instant> busySince = new HashMap<>();
  private final Map<String, Long> places = new TreeMap<>();
  private final Map<String, Integer> waiting = new HashMap<>();
  private Duration busy = Duration.ZERO;
  private Duration waited = Duration.ZERO;
  private boolean placed;

  public Tally(SimTime time) {
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

  /** A call of an event that no other one waits beside in its instance waits until then. */
  public void waits(String instance, Instant until) {
    if (waiting.merge(instance, 1, Integer::sum) == 1)
      waited = waited.plus(Duration.between(time.instant(), until));
  }

  /** It goes on. */
  public void waited(String instance) {
    waiting.merge(instance, -1, Integer::sum);
  }

  public Reading read() {
    var sum = busy;
    for (var since : busySince.values()) sum = sum.plus(Duration.between(since, time.instant()));
    return new Reading(time.instant(), counts, sum, waited);
  }

  /** From now on also by the place in the program that asked, which is slow. */
  public void byPlace() {
    placed = true;
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
                .filter(f -> f.getClassName().startsWith("dev.mayfly.core.control."))
                .limit(3)
                .map(f -> f.getClassName().substring(24) + "." + f.getMethodName())
                .reduce((a, b) -> a + " < " + b)
                .orElse("elsewhere"));
  }
}
