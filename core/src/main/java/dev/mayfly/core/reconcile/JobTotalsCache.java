package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Caches jobs' task totals for a few seconds: the store adds up a job's shards on each read. */
final class JobTotalsCache {
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final Ledger ledger;
  private final InstantSource clock;
  private final Map<String, Summed> totals = new HashMap<>();

  private record Summed(Instant at, TaskTotals totals) {}

  JobTotalsCache(Ledger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  TaskTotals of(Job job) {
    var now = clock.instant();
    var known = totals.get(job.uid());
    if (known != null && known.at.plus(FRESH).isAfter(now)) return known.totals;
    var summed = new Summed(now, ledger.totals(job.key()));
    totals.put(job.uid(), summed);
    return summed.totals;
  }

  void forget(String job) {
    totals.remove(job);
  }

  void clear() {
    totals.clear();
  }
}
