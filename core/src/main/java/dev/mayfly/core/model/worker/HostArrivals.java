package dev.mayfly.core.model.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which hosts of a slice that boots have reported.
 *
 * @param hosts how many it has
 * @param reported by index, when each reported for the first time
 */
public record HostArrivals(int hosts, Map<Integer, Instant> reported) {
  /** A host that needs this many times the time of the first one, counted from it, is missing. */
  private static final int TIMES = 2;

  public HostArrivals {
    reported = Map.copyOf(reported);
  }

  public Optional<Instant> first() {
    return reported.values().stream().min(Instant::compareTo);
  }

  /** The indexes of those that have not, in order. */
  public List<Integer> missing() {
    return IntStream.range(0, hosts).filter(i -> !reported.containsKey(i)).boxed().toList();
  }

  /**
   * Until when the others are awaited once one has reported, however early or late that was: for
   * {@code awaited} at least and twice that at most, unless the first host itself needed longer.
   *
   * @param state of the slice, which may say that they are awaited once more
   */
  public Optional<Instant> until(WorkerState.Booting state, Duration awaited) {
    return first().map(first -> state.hostsUntil().orElseGet(() -> until(first, state, awaited)));
  }

  private static Instant until(Instant first, WorkerState.Booting state, Duration awaited) {
    var latest = later(state.deadline(), first.plus(awaited));
    var slow = Duration.between(state.since(), first).multipliedBy(TIMES);
    var early = later(first.plus(slow), first.plus(awaited.multipliedBy(TIMES)));
    return early.isBefore(latest) ? early : latest;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
