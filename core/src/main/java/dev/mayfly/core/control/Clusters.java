package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.NotFound;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds clusters by their names. */
final class Clusters {
  private Clusters() {}

  /**
   * The cluster that has the name and takes work. Throws {@link Invalid} with the names that there
   * are.
   */
  static Cluster named(Ledger ledger, String name) {
    return taking(ledger, name, find(ledger, name));
  }

  /** The cluster that the name leads to, in whatever phase. */
  static Optional<Cluster> find(Ledger ledger, String name) {
    return ledger
        .read(new Key.OfClusterName(name))
        .flatMap(n -> ledger.read(new Key.OfCluster(n.value().uid())))
        .map(c -> c.value());
  }

  /** The one that was found, if it takes work; throws as {@link #named} does. */
  static Cluster taking(Ledger ledger, String name, Optional<Cluster> cluster) {
    if (cluster.isEmpty() || cluster.get().phase() == Cluster.Phase.GONE)
      throw unknown(ledger, name);
    if (cluster.get().phase() == Cluster.Phase.GOING)
      throw new Invalid(
          "cluster",
          "cluster "
              + name
              + " is being taken down; bring it up again (mayfly up) and submit then");
    return cluster.get();
  }

  /** Throws {@link Invalid} for a message that meant an earlier cluster of the name. */
  static void checkMeant(Cluster cluster, Instant publishedAt) {
    if (cluster.createdAt().isAfter(publishedAt))
      throw new Invalid(
          "cluster",
          "cluster %s was brought up after this was published; publish it again"
              .formatted(cluster.spec().name()));
  }

  /** That no cluster has the name, with those that there are. */
  static NotFound unknown(Ledger ledger, String name) {
    var names =
        ledger.query(new Query.Clusters(false)).some().stream()
            .map(c -> c.value().spec().name())
            .sorted()
            .collect(Collectors.joining(", "));
    var known =
        names.isEmpty() ? "none is up (mayfly up CLUSTER.yaml)" : "those that are up: " + names;
    return new NotFound("cluster", "there is no cluster " + name + "; " + known);
  }
}
