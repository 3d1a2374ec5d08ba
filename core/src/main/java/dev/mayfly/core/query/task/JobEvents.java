package dev.mayfly.core.query.task;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.worker.WorkerNames;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what happened to a job, and to the machines that were ordered while it waits. */
public final class JobEvents {
  private static final int MOST_EVENTS_READ = 50;

  /** Events of all kinds that are looked through for refused orders, and the most of these. */
  private static final int MOST_OTHERS_READ = 30;

  private static final int MOST_REFUSED = 3;
  private static final String WORKER = "worker/";

  /** Which orders that the cloud refused are told of. */
  public enum Orders {
    NONE,
    /** Those that were made for the job. */
    ITS_OWN,
    /** Those of pools that may run it, for whomever they were made. */
    OF_ITS_POOLS
  }

  private final Ledger ledger;

  public JobEvents(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * The newest of it first: jobs before and after it may have had its name.
   *
   * @param refused orders that are told of too, as long as the job had not ended
   */
  public List<EventRecord> of(Cluster cluster, Job job, int most, Orders refused) {
    var about = Optional.of("job/" + job.spec().address());
    var until =
        readable(job.nameKey())
            .flatMap(JobName::job)
            .filter(newest -> !newest.equals(job.uid()))
            .flatMap(newest -> readable(new DocumentKey.OfJob(cluster.uid(), newest)))
            .map(Job::acceptedAt)
            .orElse(Instant.MAX);
    var own = events(cluster, about, MOST_EVENTS_READ).filter(e -> e.at().isBefore(until));
    var orders = refused == Orders.NONE ? List.<EventRecord>of() : refused(cluster, job, refused);
    // However much happened since, why it waited stays.
    return Stream.concat(own.limit(most - orders.size()), orders.stream())
        .filter(e -> !e.at().isBefore(job.acceptedAt()))
        .sorted(Comparator.comparing(EventRecord::at).reversed())
        .limit(most)
        .toList();
  }

  /**
   * The newest orders that the cloud refused: they are events of machines that never were, in pools
   * that may run it. Of those that were refused alike it is the newest.
   */
  private List<EventRecord> refused(Cluster cluster, Job job, Orders orders) {
    var named = job.spec().place().pools();
    var pools =
        named.isEmpty() ? cluster.spec().pools().stream().map(PoolSpec::name).toList() : named;
    var end = job.state().end().map(JobState.Ended::since);
    var all =
        ledger
            .query(new LedgerQuery.Events(cluster.uid(), Optional.empty(), end, MOST_OTHERS_READ))
            .readableOnly()
            .stream()
            .map(VersionedDocument::value)
            .filter(e -> e.what().equals("refused") && e.about().startsWith(WORKER))
            .filter(e -> !e.at().isBefore(job.acceptedAt()))
            .toList();
    var own = orders == Orders.ITS_OWN ? launchedFor(job, all) : Set.<String>of();
    var told = new HashSet<String>();
    return all.stream()
        .filter(e -> orders == Orders.OF_ITS_POOLS || own.contains(e.about()))
        .flatMap(e -> ofPool(cluster, pools, e).stream())
        .filter(e -> told.add(e.why()))
        .limit(MOST_REFUSED)
        .toList();
  }

  /** Which of these orders were made for the job, as far as their documents are kept. */
  private Set<String> launchedFor(Job job, List<EventRecord> orders) {
    var keys =
        orders.stream()
            .map(e -> e.about().substring(WORKER.length()))
            .distinct()
            .map(name -> new DocumentKey.OfWorker(job.cluster(), name))
            .toList();
    if (keys.isEmpty()) return Set.of();
    return ledger.readAll(keys).readableOnly().stream()
        .map(VersionedDocument::value)
        .filter(worker -> worker.launchedFor().filter(it -> isIt(job, it)).isPresent())
        .map(worker -> WORKER + worker.name())
        .collect(Collectors.toSet());
  }

  private static boolean isIt(Job job, LaunchedFor launchedFor) {
    return launchedFor.job().equals(job.spec().name())
        && launchedFor.owner().equals(job.spec().owner());
  }

  /** The event with its pool in its words; empty if that is none of these. */
  private static Optional<EventRecord> ofPool(Cluster cluster, List<String> pools, EventRecord e) {
    var worker = e.about().substring(WORKER.length());
    return pools.stream()
        .filter(pool -> WorkerNames.isOfPool(cluster, pool, worker))
        .findFirst()
        .map(pool ->
            new EventRecord(
                e.cluster(),
                e.id(),
                e.at(),
                e.about(),
                e.what(),
                "an order of pool %s: %s".formatted(pool, e.why()),
                e.notification(),
                e.messageId()));
  }

  private Stream<EventRecord> events(Cluster cluster, Optional<String> about, int most) {
    return ledger.query(new LedgerQuery.Events(cluster.uid(), about, most)).readableOnly().stream()
        .map(VersionedDocument::value);
  }

  private <D extends LedgerDocument> Optional<D> readable(DocumentKey<D> documentKey) {
    return ledger.readAll(List.of(documentKey)).readableOnly().stream()
        .map(VersionedDocument::value)
        .findFirst();
  }
}
