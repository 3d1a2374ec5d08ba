package dev.mayfly.sim.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The history of a world: a hash of all lines, the last lines, and counts of faults and coverage
 * points. Two runs of one seed have the same hash, in any JVM.
 */
public final class Trace {
  /** Default number of last lines kept. */
  public static final int KEPT = 40;

  private final SimTime time;
  private final Instant start;
  private final ArrayDeque<String> last = new ArrayDeque<>();
  private final TreeMap<String, Long> seen = new TreeMap<>();
  private final int kept;
  private final boolean told;
  private long hash = 0xcbf29ce484222325L;

  public Trace(SimTime time) {
    this(time, KEPT);
  }

  public Trace(SimTime time, int kept) {
    this(time, kept, true);
  }

  /** The history of a world of which nobody asks: nothing but counts. */
  public static Trace silent(SimTime time) {
    return new Trace(time, 0, false);
  }

  private Trace(SimTime time, int kept, boolean told) {
    this.told = told;
    this.kept = kept;
    this.time = time;
    this.start = time.instant();
  }

  /** A line of which many are made: nothing is written where nobody reads. */
  public void add(Supplier<String> line) {
    if (told) add(line.get());
  }

  public void add(String line) {
    if (!told) return;
    var at = Duration.between(start, time.instant()).toMillis();
    var stamped = at / 1000 + "." + String.valueOf(1000 + at % 1000).substring(1) + " " + line;
    for (var i = 0; i < stamped.length(); i++) hash = (hash ^ stamped.charAt(i)) * 0x100000001b3L;
    last.add(stamped);
    if (last.size() > kept) last.poll();
  }

  /** Counts an injected fault or a coverage point. */
  public void seen(String what) {
    seen.merge(what, 1L, Long::sum);
  }

  public Map<String, Long> seen() {
    return seen;
  }

  public List<String> last() {
    return List.copyOf(last);
  }

  public String hash() {
    return "%016x".formatted(hash);
  }
}
