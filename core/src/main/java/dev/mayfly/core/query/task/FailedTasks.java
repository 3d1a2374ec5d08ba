package dev.mayfly.core.query.task;

import dev.mayfly.core.lifecycle.FinalFailures;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.util.List;

/** How many tasks of a job have failed for good, those of leases that continue among them. */
public final class FailedTasks {
  private static final int MOST_SHARDS = 100;

  private FailedTasks() {}

  /** With two reads; of a job with very many leases the newest failures may be missing. */
  public static long of(Ledger ledger, Job job) {
    var query = new LedgerQuery.LeasedShards(job.cluster(), job.uid(), MOST_SHARDS);
    var leased = ledger.query(query).readableOnly().stream().map(VersionedDocument::value).toList();
    return ledger.totals(job.key()).failed() + ofLeases(leased, job);
  }

  /** Those that only the end of their leases counts. */
  public static long ofLeases(List<Shard> shards, Job job) {
    return open(shards) - open(FinalFailures.told(shards, job));
  }

  private static long open(List<Shard> shards) {
    return shards.stream().mapToLong(Shard::open).sum();
  }
}
