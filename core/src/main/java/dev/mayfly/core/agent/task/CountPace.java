package dev.mayfly.core.agent.task;

import dev.mayfly.core.agent.loop.ClockReading;
import dev.mayfly.core.model.TaskProgress;
import java.util.Map;
import java.util.Optional;

/**
 * What one step of an attempt takes, by when its counts were read. An attempt that resumed began
 * with the count of an earlier one, so that only those since its first count tell.
 *
 * <p>Not thread-safe.
 */
final class CountPace {
  private static final double NANOS = 1e9;

  private record Counted(String name, double at, ClockReading when) {}

  private Optional<Counted> first = Optional.empty();
  private Optional<Counted> newest = Optional.empty();

  /** The same count again tells nothing: it may have stood since it was first read. */
  void read(Map<String, Double> metrics, ClockReading now) {
    var progress = TaskProgress.of(metrics);
    if (progress.isEmpty()) return;
    var read = new Counted(progress.get().name(), progress.get().at(), now);
    var anew = newest.filter(it -> it.name.equals(read.name) && it.at <= read.at).isEmpty();
    if (anew) first = Optional.of(read);
    if (anew || newest.filter(it -> it.at < read.at).isPresent()) newest = Optional.of(read);
  }

  /** Empty before two counts were read. */
  Optional<Double> secondsEach() {
    return first.flatMap(from ->
        newest
            .filter(to -> to.at > from.at)
            .map(to -> to.when.monotonicSince(from.when).toNanos() / NANOS / (to.at - from.at)));
  }
}
