package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.ServingHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who is silent, and for how long while others could be heard.
 *
 * <p>Silence that everybody shares is ours: an outage of the control plane, of the database or of
 * the network before it. So only <em>served</em> silence counts, which is time in which syncs were
 * proved to be served. And silence that the workers of one function instance share may be that
 * instance's, which stands still with their calls: {@link InstanceActivity} says what counts then.
 *
 * @param silentAfter past its due time, from when on a worker is silent
 * @param lostAfter silence that loses a worker when at least half of the others speak, served by
 *     instances that were all awake
 * @param lostAlone served silence that loses a worker in any case
 */
public record LivenessPolicy(Duration silentAfter, Duration lostAfter, Duration lostAlone) {
  /** A worker that is lost, and why. */
  public record LostWorker(String worker, Duration silence, String reason) {}

  /** The workers that are past due, by name. */
  public List<String> silent(Map<String, Instant> due, Instant now) {
    return new TreeMap<>(due)
        .entrySet().stream()
            .filter(e -> e.getValue().plus(silentAfter).isBefore(now))
            .map(Map.Entry::getKey)
            .toList();
  }

  /**
   * Who is lost.
   *
   * @param due when each worker that lives is due next
   * @param instanceActivity what the function instances prove of themselves
   */
  public List<LostWorker> lost(
      Map<String, Instant> due,
      List<ServingHistory.Interval> served,
      InstanceActivity instanceActivity,
      Instant now) {
    var silent = silent(due, now);
    var lostWorkers = new ArrayList<LostWorker>();
    for (var worker : silent) {
      var others = due.size() - 1;
      var speaking = due.size() - silent.size();
      var since = due.getOrDefault(worker, now).plus(silentAfter);
      var alone = served(since, served, now);
      var amongOthers = served(since, instanceActivity.countedIntervals(served, since), now);
      if (alone.compareTo(lostAlone) >= 0)
        lostWorkers.add(new LostWorker(worker, alone, reason(alone, "whatever the others do")));
      else if (amongOthers.compareTo(lostAfter) >= 0 && others > 0 && 2 * speaking >= others)
        lostWorkers.add(
            new LostWorker(
                worker,
                amongOthers,
                reason(amongOthers, speaking + " of " + others + " others spoke")));
    }
    return lostWorkers;
  }

  private static String reason(Duration silence, String others) {
    return "silent for %d s past its due time while syncs were served; %s"
        .formatted(silence.toSeconds(), others);
  }

  /** How much of [from, now] was served. */
  static Duration served(Instant from, List<ServingHistory.Interval> intervals, Instant now) {
    var sum = Duration.ZERO;
    for (var i : intervals) {
      var start = i.from().isAfter(from) ? i.from() : from;
      var end = i.to().isBefore(now) ? i.to() : now;
      if (end.isAfter(start)) sum = sum.plus(Duration.between(start, end));
    }
    return sum;
  }

  /**
   * The intervals with the last one extended to now, or a new one begun if that would bridge a gap.
   */
  public static List<ServingHistory.Interval> extend(
      List<ServingHistory.Interval> intervals, Instant now, Duration gap, Duration kept) {
    var next = new ArrayList<ServingHistory.Interval>();
    for (var i : intervals) if (!i.to().isBefore(now.minus(kept))) next.add(i);
    var last = next.isEmpty() ? null : next.getLast();
    if (last != null && !last.to().plus(gap).isBefore(now)) {
      next.removeLast();
      next.add(new ServingHistory.Interval(last.from(), now.isAfter(last.to()) ? now : last.to()));
    } else next.add(new ServingHistory.Interval(now, now));
    return next;
  }
}
