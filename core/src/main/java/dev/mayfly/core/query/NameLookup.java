package dev.mayfly.core.query;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.job.JobLookup;
import java.util.Optional;

/** Finds what users name. An unknown name throws {@link UnknownNameException} with known ones. */
final class NameLookup {
  /** The most events of one message that are looked at; a submission's has one command. */
  private static final int COMMANDS = 10;

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

  /**
   * The job with that name or uid, as {@link JobLookup} finds it; the newest if several had the
   * name.
   */
  Job job(Cluster cluster, String address) {
    var lookup = new JobLookup(ledger);
    // Programs that wait for a job name it by its uid, again and again.
    return lookup
        .ofUid(cluster.uid(), address)
        .or(() -> newest(lookup.name(cluster.uid(), address)))
        .map(VersionedDocument::value)
        .orElseThrow(() ->
            new UnknownNameException(
                "job",
                "cluster %s has no job %s%s%s; a job that was published just now may not be accepted yet, and jobs of another cluster, also one that is down, need -c CLUSTER"
                    .formatted(
                        cluster.spec().name(),
                        address,
                        lookup.hint(
                            cluster.uid(), DocumentKey.OfJobName.of(cluster.uid(), address)),
                        newest(cluster))));
  }

  private Optional<VersionedDocument<Job>> newest(JobLookup.Found found) {
    return found
        .uid()
        .flatMap(uid -> ledger.read(new DocumentKey.OfJob(found.key().cluster(), uid)));
  }

  /**
   * The job of that name that a submission is or found there: a live job with the same content. An
   * unknown name as long as the submission is not processed, and for good if it was refused.
   *
   * @param uid of the submission
   * @param message by which it was published, if it must have been accepted: its id may be another
   *     job's, which refuses it
   */
  Job submitted(Cluster cluster, String address, String uid, Optional<String> message) {
    var accepted = message.filter(id -> wasReceived(cluster, id));
    var own = accepted.flatMap(_ -> ledger.read(new DocumentKey.OfJob(cluster.uid(), uid)));
    return own.or(() ->
            ledger
                .read(DocumentKey.OfJobName.of(cluster.uid(), address))
                .filter(_ -> accepted.isPresent() || message.isEmpty())
                .filter(named -> named.value().isSubmittedAs(uid))
                .flatMap(named -> named.value().job())
                .flatMap(job -> ledger.read(new DocumentKey.OfJob(cluster.uid(), job))))
        .map(VersionedDocument::value)
        .orElseThrow(() ->
            new UnknownNameException(
                "submission",
                "job %s of cluster %s is not that of submission %s: it is not processed yet, or was refused"
                    .formatted(address, cluster.spec().name(), uid)));
  }

  private boolean wasReceived(Cluster cluster, String message) {
    var events = new LedgerQuery.EventsOfMessage(cluster.uid(), message, COMMANDS);
    if (ledger.query(events).readableOnly().stream()
        .anyMatch(event -> event.value().what().equals(EventRecord.RECEIVED))) return true;
    var former = EventRecord.formerId(EventRecord.RECEIVED, message);
    return ledger.read(new DocumentKey.OfEventRecord(cluster.uid(), former)).isPresent();
  }

  private String newest(Cluster cluster) {
    var names =
        ledger.query(new LedgerQuery.Jobs(cluster.uid(), 10)).readableOnly().stream()
            .map(j -> j.value().spec().address())
            .distinct()
            .toList();
    return names.isEmpty() ? "; it has no jobs yet" : "; newest jobs: " + String.join(", ", names);
  }
}
