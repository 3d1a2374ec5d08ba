package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.Optional;

/**
 * Clusters that get another name. Everything of a cluster is found by its uid; a name only leads to
 * that, and the old one goes on doing so until the cluster is gone.
 */
final class Renames {
  private final Ledger ledger;

  Renames(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The cluster that is called so, unless it is gone. */
  Optional<Stored<Cluster>> living(String name) {
    return ledger
        .read(new Key.OfClusterName(name))
        .flatMap(n -> ledger.read(new Key.OfCluster(n.value().uid())))
        .filter(c -> c.value().phase() != Cluster.Phase.GONE);
  }

  /**
   * Throws {@link Invalid} where a spec is not for the cluster that its name leads to.
   *
   * @param former the one that it says had another name
   */
  static void check(ClusterSpec spec, Cluster found, Optional<Stored<Cluster>> former) {
    if (!spec.name().equals(found.spec().name()))
      throw new Invalid(
          "name",
          "cluster %s is called %s now; write that, or choose another name for a cluster of its own"
              .formatted(spec.name(), found.spec().name()));
    if (former.filter(f -> !f.value().uid().equals(found.uid())).isPresent())
      throw new Invalid(
          "formerly",
          "cluster %s is another one, beside cluster %s; leave `formerly` away, or take one of them down"
              .formatted(former.get().value().spec().name(), spec.name()));
  }

  /** The name leads to that cluster from now on. */
  static Write take(String name, String uid, Optional<Stored<ClusterName>> before) {
    var owns = new ClusterName(name, uid);
    return before
        .<Write>map(b -> new Write.Update(owns, b.version()))
        .orElseGet(() -> new Write.Create(owns));
  }

  /** The changed cluster, which keeps its first name in mind if it has another one now. */
  static Cluster noted(Cluster was, Cluster next) {
    return isNamedAnew(was, next) ? next.renamed(was.spec().name()) : next;
  }

  static String said(Cluster was, Cluster next) {
    return isNamedAnew(was, next) ? ", formerly " + was.spec().name() : "";
  }

  private static boolean isNamedAnew(Cluster was, Cluster next) {
    return !was.spec().name().equals(next.spec().name());
  }
}
