package dev.mayfly.core.state.job;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.port.Ledger;
import java.util.List;

/** Counts the leased tasks of one owner's jobs. */
public record OwnerUsage(Ledger ledger) {
  /**
   * The leased tasks of the owner's jobs in these rows; a read for each job, until {@code enough}
   * are counted.
   */
  public long leased(String cluster, List<JobQueue.Row> rows, String owner, long enough) {
    var leased = 0L;
    for (var row : rows) {
      if (leased >= enough) return leased;
      if (row.owner().equals(owner))
        leased += ledger.totals(new DocumentKey.OfJob(cluster, row.job())).leased();
    }
    return leased;
  }
}
