package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.ServingHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Decides which workers are silent, and which of these are lost.
 *
 * <p>Silence of all workers is the control plane's fault, the database's or the network's. So only
 * <em>served</em> silence counts: time in which syncs were proved to be served. Silence of the
 * workers of one function instance may be that instance's fault, when it is suspended with their
 * calls: {@link InstanceActivity} says what counts then.
 *
 * @param silentAfter how long past its due time a worker becomes silent
 * @param lostAfter the silence that loses a worker when at least half of the others sync, served by
 *     instances that were all awake
 * @param lostRegardless the served silence that loses a worker in any case
 */
public record LivenessPolicy(Duration silentAfter, Duration lostAfter, Duration lostRegardless) {
  public record LostWorker(String worker, Duration silence, String reason) {}

  public static LivenessPolicy of(Timings timings) {
    return new LivenessPolicy(timings.silentAfter(), timings.lostAfter(), timings.lostRegardless());
  }

  /** Whether a worker that was due then is silent. */
  public boolean isSilent(Instant due, Instant now) {
    return due.plus(silentAfter).isBefore(now);
  }

  /**
   * When the worker should have reported, or one of its hosts; empty if it is not silent.
   *
   * @param due by host: a worker's name, with a slash and a number for all but its first
   */
  public Optional<Instant> silentSince(String worker, SortedMap<String, Instant> due, Instant now) {
    // In the order of characters '0' follows '/'.
    var others = due.subMap(worker + "/", worker + "0").values();
    return Stream.concat(Stream.ofNullable(due.get(worker)), others.stream())
        .filter(at -> isSilent(at, now))
        .min(Comparator.naturalOrder());
  }

  /** When a worker that was due then is lost, whatever others do, if all of the time is served. */
  public Instant lostBy(Instant due) {
    return due.plus(silentAfter).plus(lostRegardless);
  }

  /** The workers that are past due, by name. */
  public List<String> silent(Map<String, Instant> due, Instant now) {
    return due.entrySet().stream()
        .filter(e -> isSilent(e.getValue(), now))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * The workers that are lost.
   *
   * @param due when each live worker is due next
   * @param instanceActivity what the function instances prove about themselves
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
      var syncing = due.size() - silent.size();
      var since = due.getOrDefault(worker, now).plus(silentAfter);
      var alone = served(since, served, now);
      var amongOthers = served(since, instanceActivity.countedIntervals(served, since), now);
      if (alone.compareTo(lostRegardless) >= 0)
        lostWorkers.add(
            new LostWorker(worker, alone, reason(alone, "others need not have reported by then")));
      else if (amongOthers.compareTo(lostAfter) >= 0 && others > 0 && 2 * syncing >= others)
        lostWorkers.add(
            new LostWorker(
                worker,
                amongOthers,
                reason(
                    amongOthers, "%d of %d others reported meanwhile".formatted(syncing, others))));
    }
    return lostWorkers;
  }

  private static String reason(Duration silence, String others) {
    return "no report for %d s past its time, while others could report; %s"
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
   * Extends the last interval to {@code now}, or begins a new one if that would bridge a gap or an
   * outage, however short: a worker that tried again in an outage could not report.
   *
   * @param outages when the extending instance could not read the ledger, oldest first
   */
  public static List<ServingHistory.Interval> extend(
      List<ServingHistory.Interval> intervals,
      Instant now,
      List<ServingHistory.Interval> outages,
      Duration gap,
      Duration kept) {
    var next = new ArrayList<ServingHistory.Interval>();
    for (var i : intervals) if (!i.to().isBefore(now.minus(kept))) next.add(i);
    var last = next.isEmpty() ? null : next.getLast();
    if (last != null
        && !last.to().plus(gap).isBefore(now)
        && outages.stream().noneMatch(outage -> outage.to().isAfter(last.to()))) {
      next.removeLast();
      next.add(new ServingHistory.Interval(last.from(), now.isAfter(last.to()) ? now : last.to()));
    } else next.add(new ServingHistory.Interval(now, now));
    return next;
  }
}
