package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.ServingHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When no function instance may have kept a call to itself. An instance that stands still takes
 * calls and serves none, so silence counts for little until each instance has proved that it was
 * awake: by a document that it wrote later, and that tells of no standstill.
 *
 * @param instances the newest document of each
 * @param gone an instance that wrote nothing for so long before a silence is not there any more
 * @param patience and one that wrote nothing for so long since the silence began, while syncs were
 *     served, is not waited for. An outage uses none of it up: whoever serves after it is new, and
 *     others know nothing of one that stands still before its first document
 * @param away when whoever judges could not read the ledger: nobody could write there either, so
 *     that this time makes no instance look gone
 */
public record InstanceActivity(
    List<Heartbeats> instances,
    Duration gone,
    Duration patience,
    List<ServingHistory.Interval> away) {
  public InstanceActivity {
    instances = List.copyOf(instances);
    away = List.copyOf(away);
  }

  /** What of the served time counts against a worker that is silent since then. */
  List<ServingHistory.Interval> countedIntervals(
      List<ServingHistory.Interval> served, Instant silentSince) {
    var proved = served;
    var patienceEnds = patienceEnds(served, silentSince);
    for (var instance : instances)
      if (isThere(instance.writtenAt(), silentSince))
        proved = countedIntervals(proved, instance, patienceEnds);
    return proved;
  }

  private boolean isThere(Instant written, Instant silentSince) {
    var excused = LivenessPolicy.served(written, away, silentSince);
    return written.plus(gone).plus(excused).isAfter(silentSince);
  }

  private Instant patienceEnds(List<ServingHistory.Interval> served, Instant silentSince) {
    var left = patience;
    for (var interval : served) {
      var begin = interval.from().isAfter(silentSince) ? interval.from() : silentSince;
      var end = begin.plus(left);
      if (!end.isAfter(interval.to())) return end;
      if (interval.to().isAfter(begin)) left = left.minus(Duration.between(begin, interval.to()));
    }
    return Instant.MAX;
  }

  private static List<ServingHistory.Interval> countedIntervals(
      List<ServingHistory.Interval> served, Heartbeats instance, Instant patienceEnds) {
    var proved = new ArrayList<ServingHistory.Interval>();
    var written = instance.writtenAt();
    var from = instance.stalledUntil().orElse(Instant.MIN);
    for (var interval : served) {
      add(proved, interval, from, written);
      var rest = patienceEnds.isAfter(written) ? patienceEnds : written;
      add(proved, interval, rest, Instant.MAX);
    }
    return proved;
  }

  private static void add(
      List<ServingHistory.Interval> all,
      ServingHistory.Interval interval,
      Instant from,
      Instant to) {
    var begin = interval.from().isAfter(from) ? interval.from() : from;
    var end = interval.to().isBefore(to) ? interval.to() : to;
    if (end.isAfter(begin)) all.add(new ServingHistory.Interval(begin, end));
  }
}
