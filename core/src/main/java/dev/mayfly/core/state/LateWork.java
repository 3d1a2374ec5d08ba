package dev.mayfly.core.state;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.util.List;

/** Jobs that are stored after their cluster was gone: a process was slow between the two. */
public final class LateWork {
  private LateWork() {}

  /**
   * Lets the cluster go once more if it is gone, which ends what lives in it: ticks do not look at
   * clusters that are gone. To be called after a job was stored; a repeat changes nothing.
   */
  public static void end(Ledger ledger, String cluster) {
    Transactions.retry(
        "the cluster",
        () -> {
          var stored = ledger.read(new DocumentKey.OfCluster(cluster));
          if (stored.filter(c -> c.value().phase() == Cluster.Phase.GONE).isEmpty()) return true;
          var going = stored.get().value().withGoing();
          return ledger
              .commit(List.of(new LedgerWrite.Update(going, stored.get().version())))
              .done();
        });
  }
}
