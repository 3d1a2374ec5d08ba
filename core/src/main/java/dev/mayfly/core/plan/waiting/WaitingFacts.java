package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.worker.HostArrivals;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What a plan does not need to know, and people want to.
 *
 * @param due by worker, when it reports next, as far as known
 * @param names of jobs, by uid, besides those of the snapshot
 * @param arrivals by slice that boots, which of its hosts have reported
 * @param hostsAwaited how long the others are awaited
 */
public record WaitingFacts(
    Map<String, Instant> due,
    Map<String, String> names,
    Map<String, HostArrivals> arrivals,
    Duration hostsAwaited) {
  public static final WaitingFacts NONE =
      new WaitingFacts(Map.of(), Map.of(), Map.of(), Duration.ZERO);

  public WaitingFacts {
    due = Map.copyOf(due);
    names = Map.copyOf(names);
    arrivals = Map.copyOf(arrivals);
  }

  public WaitingFacts withDue(Map<String, Instant> other) {
    return new WaitingFacts(other, names, arrivals, hostsAwaited);
  }

  public WaitingFacts withNames(Map<String, String> other) {
    return new WaitingFacts(due, other, arrivals, hostsAwaited);
  }

  public WaitingFacts withArrivals(Map<String, HostArrivals> other, Duration awaited) {
    return new WaitingFacts(due, names, other, awaited);
  }
}
