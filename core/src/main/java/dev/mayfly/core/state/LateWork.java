package dev.mayfly.core.state;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Jobs and workers that are stored while their cluster goes or after it was gone, because a process
 * was slow between its look at the cluster and its commit. Ticks do not look at clusters that are
 * gone, so such a cluster goes once more, which ends what lives in it.
 */
public final class LateWork {
  /** Longer than any call, its redelivery and the time between two hourly cleanups. */
  private static final Duration LATEST = Duration.ofHours(3);

  private LateWork() {}

  /**
   * To be called after a job or a worker was stored. Writes the cluster also while it goes, so that
   * a process which saw nothing in it cannot close it now. A repeat changes nothing else.
   */
  public static void end(Ledger ledger, String cluster) {
    Transactions.retry(
        "the cluster",
        () -> {
          var stored = ledger.read(new DocumentKey.OfCluster(cluster));
          if (stored.filter(c -> c.value().phase() != Cluster.Phase.UP).isEmpty()) return true;
          var going = stored.get().value().withGoing();
          return ledger
              .commit(List.of(new LedgerWrite.Update(going, stored.get().version())))
              .done();
        });
  }

  /** For cleanup: finds what a process left that ended after its commit. */
  public static void find(Ledger ledger, Cluster cluster, Instant now) {
    if (cluster.phase() != Cluster.Phase.GONE
        || cluster.endedAt().filter(at -> at.plus(LATEST).isAfter(now)).isEmpty()) return;
    if (ledger.query(new LedgerQuery.LiveJobs(cluster.uid())).isEmpty()
        && ledger.query(new LedgerQuery.Workers(cluster.uid(), false, 1)).isEmpty()) return;
    end(ledger, cluster.uid());
  }
}
