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
import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.state.worker.WorkerNames;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
   * The newest orders that the cloud refused, or whose machines never booted: they are events of
   * machines that never were, in pools that may run it. Of those that failed alike it is the
   * newest, with how many there were and since when, as far as events are read.
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
            .filter(JobEvents::isFailed)
            .filter(e -> !e.at().isBefore(job.acceptedAt()))
            .toList();
    var own = orders == Orders.ITS_OWN ? launchedFor(job, all) : Set.<String>of();
    var alike = new LinkedHashMap<String, List<EventRecord>>();
    all.stream()
        .filter(e -> orders == Orders.OF_ITS_POOLS || own.contains(e.about()))
        .flatMap(e -> ofPool(cluster, pools, e).stream())
        .forEach(e -> alike.computeIfAbsent(e.why(), _ -> new ArrayList<>()).add(e));
    return alike.values().stream().limit(MOST_REFUSED).map(JobEvents::newest).toList();
  }

  /** Of a machine that never booted it is the event that gives it up, and not that of its end. */
  private static boolean isFailed(EventRecord e) {
    var never = e.what().equals("lost") && e.why().startsWith(BootTime.NEVER);
    return e.about().startsWith(WORKER) && (never || e.what().equals("refused"));
  }

  /** The first of these, which says of how many it is the newest. */
  private static EventRecord newest(List<EventRecord> alike) {
    var newest = alike.getFirst();
    return alike.size() == 1
        ? newest
        : withWhy(
            newest,
            "%s; %s failed alike since %s"
                .formatted(
                    newest.why(),
                    HumanAmounts.count(alike.size(), "order"),
                    alike.getLast().at().truncatedTo(ChronoUnit.SECONDS)));
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
        .map(pool -> withWhy(e, "an order of pool %s: %s".formatted(pool, e.why())));
  }

  private static EventRecord withWhy(EventRecord e, String why) {
    return new EventRecord(
        e.cluster(), e.id(), e.at(), e.about(), e.what(), why, e.notification(), e.messageId());
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
