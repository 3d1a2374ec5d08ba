package dev.mayfly.core.dispatch;

import dev.mayfly.core.model.document.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How many more or fewer tasks of each job run, by what this instance wrote since a reconcile
 * counted them. The count is up to a minute old, and newly free resources are what their owner has
 * just lost.
 */
public final class RunningTaskDeltas {
  /** Ticks count; if they fail for long, older deltas are meaningless. */
  private static final Duration KEPT = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final TreeMap<Instant, Map<String, Long>> seconds = new TreeMap<>();
  private Map<String, Long> sum = new HashMap<>();
  private Instant from = Instant.EPOCH;

  public RunningTaskDeltas(InstantSource clock) {
    this.clock = clock;
  }

  /** This instance wrote the worker. */
  public synchronized void record(Worker before, Worker after) {
    if (before.held().equals(after.held())) return;
    var now = second(clock.instant());
    if (!seconds.containsKey(now)) forget(now.minus(KEPT));
    var changes = seconds.computeIfAbsent(now, _ -> new HashMap<>());
    for (var held : before.held()) add(changes, held.job(), -held.atOnce());
    for (var held : after.held()) add(changes, held.job(), held.atOnce());
  }

  private void add(Map<String, Long> changes, String job, long tasks) {
    changes.merge(job, tasks, Long::sum);
    sum.merge(job, tasks, Long::sum);
  }

  /** By job, the change since the tasks were counted; empty if they never were. */
  synchronized Map<String, Long> since(Optional<Instant> counted) {
    if (counted.isEmpty()) return Map.of();
    forget(second(counted.get()));
    return Map.copyOf(sum);
  }

  /** Drops all changes before that second. */
  private void forget(Instant before) {
    if (!before.isAfter(from)) return;
    from = before;
    var old = seconds.headMap(before);
    if (old.isEmpty()) return;
    old.clear();
    var left = new HashMap<String, Long>();
    seconds.values().forEach(s -> s.forEach((job, tasks) -> left.merge(job, tasks, Long::sum)));
    sum = left;
  }

  private static Instant second(Instant time) {
    return Instant.ofEpochSecond(time.getEpochSecond());
  }
}
