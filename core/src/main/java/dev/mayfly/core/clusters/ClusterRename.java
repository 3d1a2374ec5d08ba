package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import java.util.Optional;

/**
 * Renames clusters. Everything of a cluster is found by its uid; a name only leads to the uid, and
 * the old name still does until the cluster is gone.
 */
final class ClusterRename {
  private final Ledger ledger;

  ClusterRename(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The cluster with this name, unless it is gone. */
  Optional<VersionedDocument<Cluster>> living(String name) {
    return ledger
        .read(new DocumentKey.OfClusterName(name))
        .flatMap(n -> n.value().cluster())
        .flatMap(ledger::read)
        .filter(c -> c.value().phase() != Cluster.Phase.GONE);
  }

  /**
   * Throws {@link InvalidInputException} if a spec is not meant for the cluster that its name leads
   * to.
   *
   * @param former the cluster that the spec names as its former self
   */
  static void check(ClusterSpec spec, Cluster found, Optional<VersionedDocument<Cluster>> former) {
    var same = former.map(f -> f.value().uid().equals(found.uid()));
    // A name that the cluster had leads to it until it is gone, so a rename back finds it twice.
    if (!spec.name().equals(found.spec().name()) && !same.orElse(false))
      throw new InvalidInputException(
          "name",
          "cluster %s is called %s now; write that, `formerly: %s` to name it back, or another name for a new cluster"
              .formatted(spec.name(), found.spec().name(), found.spec().name()));
    if (!same.orElse(true))
      throw new InvalidInputException(
          "formerly",
          "%s and %s are two different clusters; omit `formerly`, or take one of them down"
              .formatted(former.get().value().spec().name(), spec.name()));
  }

  /** The write that makes the name lead to that cluster. */
  static LedgerWrite take(
      String name, String uid, Optional<VersionedDocument<ClusterName>> before) {
    var owns = new ClusterName(name, uid);
    return before
        .<LedgerWrite>map(b -> new LedgerWrite.Update(owns, b.version()))
        .orElseGet(() -> new LedgerWrite.Create(owns));
  }

  /** The changed cluster, with its former name recorded if it was renamed. */
  static Cluster withFormerName(Cluster was, Cluster next) {
    return isRenamed(was, next) ? next.renamed(was.spec().name()) : next;
  }

  /** What became of a former name that no cluster has. */
  static String without(Optional<String> formerly) {
    return formerly
        .map("; its file says formerly: %s, and no cluster has that name"::formatted)
        .orElse("");
  }

  static String describe(Cluster was, Cluster next) {
    return isRenamed(was, next) ? ", formerly " + was.spec().name() : "";
  }

  private static boolean isRenamed(Cluster was, Cluster next) {
    return !was.spec().name().equals(next.spec().name());
  }
}
