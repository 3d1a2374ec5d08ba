package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.ServingHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * When no function instance can have held back a call. A suspended instance accepts calls and
 * serves none, so a worker's silence hardly counts until each instance has proved that it was
 * awake: by a document written later that reports no suspension.
 *
 * @param instances the newest document of each
 * @param gone an instance that wrote nothing for this long before a silence no longer exists
 * @param patience how long to wait for an instance after the silence began or, if later, after its
 *     newest document: one that was suspended may be suspended again at once. Counted while syncs
 *     were served. An outage uses none of it: instances that serve after it are new, and a
 *     suspended instance without a first document is unknown to them
 * @param away when the judging instance could not read the ledger: no instance could write then
 *     either, so this time makes no instance look gone
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

  /** The part of the served time that counts against a worker silent since then. */
  List<ServingHistory.Interval> countedIntervals(
      List<ServingHistory.Interval> served, Instant silentSince) {
    var proved = served;
    for (var instance : instances)
      if (mayExist(instance.writtenAt(), silentSince)) {
        var written = instance.writtenAt();
        var awaitedFrom = written.isAfter(silentSince) ? written : silentSince;
        proved = countedIntervals(proved, instance, patienceEnds(served, awaitedFrom));
      }
    return proved;
  }

  private boolean mayExist(Instant written, Instant silentSince) {
    var excused = LivenessPolicy.served(written, away, silentSince);
    return written.plus(gone).plus(excused).isAfter(silentSince);
  }

  private Instant patienceEnds(List<ServingHistory.Interval> served, Instant awaitedFrom) {
    var left = patience;
    for (var interval : served) {
      var begin = interval.from().isAfter(awaitedFrom) ? interval.from() : awaitedFrom;
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
      add(proved, interval, patienceEnds, Instant.MAX);
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
