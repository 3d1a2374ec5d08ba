package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.util.ArrayList;
import java.util.List;

/** Reads a job's shards in order, a page at a time. */
public record ShardReader(Ledger ledger) {
  private static final int PAGE = 300;

  /** The shards from {@code first} on that start before {@code to}. */
  public List<Shard> between(Job job, long first, long to) {
    var some = new ArrayList<Shard>();
    var from = first;
    var page = Math.clamp((to - first) / Math.max(1, job.tasks().shardSize()) + 2, 2, PAGE);
    while (true) {
      var found = page(job, from, page);
      for (var shard : found) {
        if (shard.value().start() >= to) return some;
        some.add(shard.value());
      }
      if (found.size() < page) return some;
      from = found.getLast().value().start() + 1;
    }
  }

  public List<VersionedDocument<Shard>> all(Job job) {
    var all = new ArrayList<VersionedDocument<Shard>>();
    var from = 0L;
    while (true) {
      var found = page(job, from, PAGE);
      all.addAll(found);
      if (found.size() < PAGE) return all;
      from = found.getLast().value().start() + 1;
    }
  }

  private List<VersionedDocument<Shard>> page(Job job, long from, int most) {
    return ledger
        .query(new LedgerQuery.Shards(job.cluster(), job.uid(), from, most))
        .requireComplete();
  }
}
