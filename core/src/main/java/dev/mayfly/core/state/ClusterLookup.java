package dev.mayfly.core.state;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds clusters by their names. */
public final class ClusterLookup {
  private ClusterLookup() {}

  /**
   * The cluster with this name that takes work. Throws {@link InvalidInputException} with the known
   * names otherwise.
   */
  public static Cluster named(Ledger ledger, String name) {
    return requireUp(ledger, name, find(ledger, name));
  }

  /** The cluster with this name, in any phase. */
  public static Optional<Cluster> find(Ledger ledger, String name) {
    return ledger
        .read(new DocumentKey.OfClusterName(name))
        .flatMap(n -> n.value().cluster())
        .flatMap(ledger::read)
        .map(c -> c.value());
  }

  /** Returns the cluster if it takes work; throws as {@link #named} does. */
  public static Cluster requireUp(Ledger ledger, String name, Optional<Cluster> cluster) {
    if (cluster.isEmpty() || cluster.get().phase() == Cluster.Phase.GONE)
      throw unknown(ledger, name);
    if (cluster.get().phase() == Cluster.Phase.GOING)
      throw new InvalidInputException(
          "cluster",
          "cluster "
              + name
              + " is being taken down; bring it up again (mayfly up) and submit then");
    return cluster.get();
  }

  /**
   * Throws {@link InvalidInputException} for a message meant for an earlier cluster of the name.
   */
  public static void checkMeant(Cluster cluster, Instant publishedAt) {
    if (cluster.createdAt().isAfter(publishedAt))
      throw new InvalidInputException(
          "cluster",
          "cluster %s was brought up after this was published; publish it again"
              .formatted(cluster.spec().name()));
  }

  /** An exception for an unknown name, with the known ones. */
  public static UnknownNameException unknown(Ledger ledger, String name) {
    var names =
        ledger.query(new LedgerQuery.Clusters(false)).readableOnly().stream()
            .map(c -> c.value().spec().name())
            .sorted()
            .collect(Collectors.joining(", "));
    var known =
        names.isEmpty() ? "no cluster is up (mayfly up CLUSTER.yaml)" : "known clusters: " + names;
    return new UnknownNameException("cluster", "there is no cluster " + name + "; " + known);
  }
}
