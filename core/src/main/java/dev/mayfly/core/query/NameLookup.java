package dev.mayfly.core.query;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.ClusterLookup;
import java.util.Optional;

/** Finds what users name. An unknown name throws {@link UnknownNameException} with known ones. */
final class NameLookup {
  private final Ledger ledger;

  NameLookup(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The cluster of that name, in any phase. */
  Cluster cluster(String name) {
    return ClusterLookup.find(ledger, name)
        .orElseThrow(() ->
            new UnknownNameException(
                "cluster", "there is no cluster " + name + "; " + knownClusters()));
  }

  private String knownClusters() {
    var names =
        ledger.query(new LedgerQuery.Clusters(false)).readableOnly().stream()
            .map(c -> c.value().spec().name())
            .sorted()
            .toList();
    return names.isEmpty() ? "no cluster is up" : "known clusters: " + String.join(", ", names);
  }

  /** The job with that name or uid; the newest if several had the name. */
  Job job(Cluster cluster, String name) {
    var named =
        ledger
            .read(new DocumentKey.OfJobName(cluster.uid(), name))
            .flatMap(n -> n.value().job())
            .flatMap(uid -> ledger.read(new DocumentKey.OfJob(cluster.uid(), uid)));
    return named
        .or(() ->
            name.matches("[a-z0-9]{1,40}")
                ? ledger.read(new DocumentKey.OfJob(cluster.uid(), name))
                : Optional.empty())
        .map(VersionedDocument::value)
        .orElseThrow(() ->
            new UnknownNameException(
                "job",
                "cluster %s has no job %s%s; a job that was published just now may not be accepted yet"
                    .formatted(cluster.spec().name(), name, newest(cluster))));
  }

  /**
   * The job of that name that a submission is or found there: a live job with the same content. An
   * unknown name as long as the submission is not processed, and for good if it was refused.
   *
   * @param uid of the submission
   */
  Job submitted(Cluster cluster, String name, String uid) {
    return ledger
        .read(new DocumentKey.OfJobName(cluster.uid(), name))
        .filter(named -> named.value().isSubmittedAs(uid))
        .flatMap(named -> named.value().job())
        .flatMap(job -> ledger.read(new DocumentKey.OfJob(cluster.uid(), job)))
        .map(VersionedDocument::value)
        .orElseThrow(() ->
            new UnknownNameException(
                "submission",
                "job %s of cluster %s is not that of submission %s: it is not processed yet, or was refused"
                    .formatted(name, cluster.spec().name(), uid)));
  }

  private String newest(Cluster cluster) {
    var names =
        ledger.query(new LedgerQuery.Jobs(cluster.uid(), 10)).readableOnly().stream()
            .map(j -> j.value().spec().name())
            .distinct()
            .toList();
    return names.isEmpty() ? "; it has no jobs yet" : "; newest jobs: " + String.join(", ", names);
  }
}
