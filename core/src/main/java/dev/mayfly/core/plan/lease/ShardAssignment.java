package dev.mayfly.core.plan.lease;

import dev.mayfly.core.model.document.Shard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns one job's READY shards to workers that wait for work.
 *
 * <p><b>Must:</b> never assign a shard twice; assign nothing to a worker that wants nothing.
 *
 * <p><b>Goals</b>, first to last: every worker gets a shard; no worker gets much more than it
 * wants; the lowest task first, so that equal snapshots give equal assignments.
 */
public final class ShardAssignment {
  private ShardAssignment() {}

  /** From this many tasks on, a few more do no harm. */
  private static final long MIN_TASKS_FOR_WHOLE_SHARD = 16;

  /**
   * A worker that wants {@code want} tasks of the job.
   *
   * @param idle whether it has no other work
   * @param exact whether it must not get more than it wants
   */
  public record Candidate(String worker, long want, boolean idle, boolean exact) {
    /** For a job without a limit. */
    public Candidate(String worker, long want, boolean idle) {
      this(worker, want, idle, false);
    }
  }

  /**
   * The candidates of a job of which only some more tasks may run: together they want no more, each
   * about as much as the others.
   *
   * @param most tasks for all of them
   */
  public static List<Candidate> limited(List<Candidate> candidates, long most) {
    var open = candidates.stream().filter(c -> c.want() > 0).toList();
    var limited = new ArrayList<Candidate>();
    var left = most;
    for (var i = 0; i < open.size() && left > 0; i++) {
      var even = (left + open.size() - i - 1) / (open.size() - i);
      var want = Math.min(open.get(i).want(), even);
      limited.add(new Candidate(open.get(i).worker(), want, false, true));
      left -= want;
    }
    return limited;
  }

  /** Those assigned shards of such a job that fit, whole, into what is left. */
  public static Map<String, List<Shard>> limited(Map<String, List<Shard>> assigned, long most) {
    var limited = new LinkedHashMap<String, List<Shard>>();
    var left = most;
    for (var entry : assigned.entrySet())
      for (var shard : entry.getValue()) {
        if (shard.open() > left) continue;
        limited.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>()).add(shard);
        left -= shard.open();
      }
    return limited;
  }

  /** The shards that each worker gets, by start. */
  public static Map<String, List<Shard>> assign(List<Candidate> candidates, List<Shard> ready) {
    var wants = new LinkedHashMap<String, Long>();
    for (var b : candidates) if (b.want() > 0) wants.put(b.worker(), b.want());
    var assigned = new LinkedHashMap<String, List<Shard>>();
    var queue = new ArrayList<>(ready);
    queue.sort(Comparator.comparingLong(s -> s.start()));
    var next = 0;
    while (next < queue.size() && !wants.isEmpty())
      for (var worker : List.copyOf(wants.keySet())) {
        if (next >= queue.size()) break;
        var shard = queue.get(next++);
        assigned.computeIfAbsent(worker, w -> new ArrayList<>()).add(shard);
        var left = wants.getOrDefault(worker, 0L) - shard.open();
        if (left <= 0) wants.remove(worker);
        else wants.put(worker, left);
      }
    return assigned;
  }

  /**
   * Where to split shards before they are assigned, so that each candidate gets one if there are
   * enough tasks, and a worker with other work gets no more than it wants. Tasks that it cannot
   * start would wait there while others have room. An idle worker may have a whole shard, because
   * its unstarted tasks can be stolen, unless all could start at once beside it.
   *
   * @param most parts of one shard
   * @return by shard, the first index of each part but the first, ascending
   */
  public static Map<Shard, List<Long>> splitPoints(
      List<Shard> ready, List<Candidate> candidates, int most) {
    var shares = shares(ready, candidates);
    var cuts = new LinkedHashMap<Shard, List<Long>>();
    var queue = new ArrayDeque<>(shares);
    for (var shard : ready.stream().sorted(Comparator.comparingLong(s -> s.start())).toList()) {
      var parts = new ArrayList<Long>();
      var rest = shard.open();
      while (rest > 0 && !queue.isEmpty()) {
        var next = queue.removeFirst();
        var takes = next.takes(rest);
        if (takes == rest || parts.size() + 1 >= most) takes = rest;
        else parts.add(takes);
        rest -= takes;
        var left = next.without(takes);
        if (left.want() > 0) queue.addLast(left);
      }
      if (!parts.isEmpty()) cuts.put(shard, indexes(shard, parts));
    }
    return cuts;
  }

  /** The indexes that split the first open task off a shard, for a gang. */
  public static List<Long> gangSplitPoints(Shard shard) {
    var at = shard.start();
    while (shard.done().has(at) || shard.failed().has(at)) at++;
    var cuts = new ArrayList<Long>();
    if (at > shard.start()) cuts.add(at);
    if (at + 1 < shard.end()) cuts.add(at + 1);
    return cuts;
  }

  /**
   * A candidate's remaining share.
   *
   * @param most of one shard
   * @param exact whether it is never more
   */
  private record Share(long want, long most, boolean exact) {
    /** Where many are wanted, takes the whole shard rather than leave a small rest. */
    long takes(long open) {
      var enough = most >= MIN_TASKS_FOR_WHOLE_SHARD && !exact ? most + most / 2 : most;
      return open <= enough ? open : most;
    }

    Share without(long tasks) {
      return new Share(want - tasks, Math.max(1, most - tasks), exact);
    }
  }

  private static List<Share> shares(List<Shard> ready, List<Candidate> candidates) {
    var open = ready.stream().mapToLong(Shard::open).sum();
    var even =
        ready.size() < candidates.size()
            ? Math.max(1, (open + candidates.size() - 1) / candidates.size())
            : open;
    var roomForAll = candidates.stream().mapToLong(Candidate::want).sum() >= open;
    return candidates.stream()
        .filter(b -> b.want() > 0)
        .map(b ->
            new Share(
                b.want(), Math.min(even, b.idle() && !roomForAll ? open : b.want()), b.exact()))
        .toList();
  }

  /** The indexes that split a shard into parts with these numbers of open tasks, and the rest. */
  private static List<Long> indexes(Shard shard, List<Long> parts) {
    var cuts = new ArrayList<Long>();
    var left = parts.getFirst();
    for (var i = shard.start(); i < shard.end() && cuts.size() < parts.size(); i++) {
      if (shard.done().has(i) || shard.failed().has(i)) continue;
      if (left == 0) {
        cuts.add(i);
        left = cuts.size() < parts.size() ? parts.get(cuts.size()) : Long.MAX_VALUE;
      }
      left--;
    }
    return cuts;
  }
}
