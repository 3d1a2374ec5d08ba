package dev.mayfly.core.clusters;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.CommandOrder;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Downs that are delivered before the file that creates their cluster. The cluster's name remembers
 * them: otherwise the file would start machines that run until the next down.
 */
final class DownBeforeUp {
  private final Ledger ledger;

  DownBeforeUp(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Records a down that found no live cluster. A repeat writes nothing. Returns false if the name
   * changed meanwhile.
   *
   * @param gone the last cluster of the name
   */
  boolean record(
      String name,
      Optional<VersionedDocument<ClusterName>> before,
      Optional<Cluster> gone,
      Instant publishedAt) {
    var was = before.map(VersionedDocument::value).orElseGet(() -> ClusterName.unused(name));
    var newest =
        Stream.concat(gone.map(Cluster::newestCommandAt).stream(), was.downBefore().stream())
            .max(Comparator.naturalOrder());
    if (CommandOrder.of(newest, publishedAt) != CommandOrder.NEW) return true;
    var next = was.withDown(publishedAt);
    var write =
        before
            .<LedgerWrite>map(b -> new LedgerWrite.Update(next, b.version()))
            .orElseGet(() -> new LedgerWrite.Create(next));
    return ledger.commit(List.of(write)).done();
  }
}
