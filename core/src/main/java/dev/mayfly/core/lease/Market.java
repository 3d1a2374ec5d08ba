package dev.mayfly.core.lease;

import dev.mayfly.core.model.Shard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Deals one job's READY shards to the workers that wait for work.
 *
 * <p><b>Must:</b> never deal a shard twice; never give a worker that wants nothing anything.
 *
 * <p><b>Goals</b>, first to last: every worker gets something; nobody gets much more than it wants;
 * the lowest task first, so that equal views give equal deals.
 */
public final class Market {
  private Market() {}

  /** A worker that wants {@code want} tasks of the job. */
  public record Buyer(String worker, long want) {}

  /** The shards, by start, that each worker gets. */
  public static Map<String, List<Shard>> deal(List<Buyer> buyers, List<Shard> ready) {
    var wants = new LinkedHashMap<String, Long>();
    for (var b : buyers) if (b.want() > 0) wants.put(b.worker(), b.want());
    var deals = new LinkedHashMap<String, List<Shard>>();
    var queue = new ArrayList<>(ready);
    queue.sort(Comparator.comparingLong(s -> s.start()));
    var next = 0;
    while (next < queue.size() && !wants.isEmpty())
      for (var worker : List.copyOf(wants.keySet())) {
        if (next >= queue.size()) break;
        var shard = queue.get(next++);
        deals.computeIfAbsent(worker, w -> new ArrayList<>()).add(shard);
        var left = wants.getOrDefault(worker, 0L) - shard.open();
        if (left <= 0) wants.remove(worker);
        else wants.put(worker, left);
      }
    return deals;
  }

  /**
   * Where to cut shards so that there is one for each of {@code buyers}, as far as there are tasks:
   * the largest first, each into parts of about as many open tasks.
   *
   * @return by shard, the first index of each part but the first, ascending
   */
  public static Map<Shard, List<Long>> cuts(List<Shard> ready, int buyers, int most) {
    var parts = new LinkedHashMap<Shard, Integer>();
    ready.forEach(s -> parts.put(s, 1));
    for (var missing = buyers - ready.size(); missing > 0; missing--) {
      var largest =
          parts.entrySet().stream()
              .filter(e -> e.getValue() < e.getKey().open() && e.getValue() < most)
              .max(Comparator.comparingDouble(e -> (double) e.getKey().open() / e.getValue()));
      if (largest.isEmpty()) break;
      largest.get().setValue(largest.get().getValue() + 1);
    }
    var cuts = new LinkedHashMap<Shard, List<Long>>();
    parts.forEach((s, n) -> {
      if (n > 1) cuts.put(s, even(s, n));
    });
    return cuts;
  }

  /** The indexes that cut the first open task out of a shard, for a gang. */
  public static List<Long> first(Shard shard) {
    var at = shard.start();
    while (shard.done().has(at) || shard.failed().has(at)) at++;
    var cuts = new ArrayList<Long>();
    if (at > shard.start()) cuts.add(at);
    if (at + 1 < shard.end()) cuts.add(at + 1);
    return cuts;
  }

  /** The indexes that cut a shard into {@code n} parts of about as many open tasks. */
  private static List<Long> even(Shard shard, int n) {
    var open = shard.open();
    var cuts = new ArrayList<Long>();
    var seen = 0L;
    for (var i = shard.start(); i < shard.end() && cuts.size() < n - 1; i++) {
      if (shard.done().has(i) || shard.failed().has(i)) continue;
      if (seen > 0 && seen * n >= open * (cuts.size() + 1) && i > shard.start()) cuts.add(i);
      seen++;
    }
    return cuts;
  }
}
