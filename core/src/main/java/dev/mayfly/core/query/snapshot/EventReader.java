package dev.mayfly.core.query.snapshot;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Reads what happened in a cluster, newest first. */
public final class EventReader {
  /** An order of machines, and what it was called before. */
  private static final Set<String> ORDERED = Set.of("ordered", "launched");

  private static final String JOB = "job/";
  private static final String WORKER = "worker/";

  /** Within this time after a worker's intent its event is written. */
  private static final Duration LAUNCH_TIME = Duration.ofSeconds(30);

  private static final int LAUNCHES = 20;

  private final Ledger ledger;
  private final InstantSource clock;
  private final BiFunction<Cluster, String, String> jobs;

  /**
   * @param jobs the address of the job that a text means
   */
  public EventReader(Ledger ledger, InstantSource clock, BiFunction<Cluster, String, String> jobs) {
    this.ledger = ledger;
    this.clock = clock;
    this.jobs = jobs;
  }

  /**
   * @param until only those of then and before
   */
  public List<EventRecord> of(
      Cluster cluster, Optional<String> about, Optional<Instant> until, int limit) {
    var uid = cluster.uid();
    var events = new ArrayList<EventRecord>();
    var query = new LedgerQuery.Events(uid, about.map(text -> exact(cluster, text)), until, limit);
    for (var event : ledger.query(query).readable(it -> events.add(unreadable(uid, it))))
      events.add(event.value());
    if (events.size() < limit)
      about.flatMap(text -> launched(cluster, text, until)).ifPresent(events::add);
    return events;
  }

  /** Events name a job with its owner, whatever the caller calls it. */
  private String exact(Cluster cluster, String about) {
    if (!about.startsWith(JOB)) return about;
    var address = about.substring(JOB.length());
    try {
      return JOB + jobs.apply(cluster, address);
    } catch (UnknownNameException notYet) {
      return about;
    }
  }

  private EventRecord unreadable(String cluster, UnreadableDocument unknown) {
    var now = clock.instant();
    return new EventRecord(
        cluster, unknown.id(), now, unknown.path(), "unreadable", unknown.toString());
  }

  /** A worker's first event is about its pool, because many are launched at once. */
  private Optional<EventRecord> launched(Cluster cluster, String about, Optional<Instant> until) {
    if (!about.startsWith(WORKER)) return Optional.empty();
    var key = new DocumentKey.OfWorker(cluster.uid(), about.substring(WORKER.length()));
    return ledger.readAll(List.of(key)).readableOnly().stream()
        .findFirst()
        .map(VersionedDocument::value)
        .flatMap(this::launched)
        .filter(event -> until.isEmpty() || !event.at().isAfter(until.get()));
  }

  private Optional<EventRecord> launched(Worker worker) {
    var about = Optional.of("pool/" + worker.pool());
    var soon = Optional.of(worker.createdAt().plus(LAUNCH_TIME));
    return ledger
        .query(new LedgerQuery.Events(worker.cluster(), about, soon, LAUNCHES))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .filter(event -> ORDERED.contains(event.what()) && event.why().contains(worker.name()))
        .findFirst();
  }
}
