package dev.mayfly.core.state.worker;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.Heartbeats;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Reads the workers' due times from all function instances. */
public final class DueTimes {
  /** The name of the heartbeat document that reconciles write; it belongs to no instance. */
  public static final String ROUNDS = "rounds";

  /** As long as documents of dead instances are kept. */
  private static final Duration KEPT = Duration.ofMinutes(15);

  private final Ledger ledger;

  /**
   * Workers that heartbeat documents still name but that are gone, with their last due time: a
   * static worker may return under its name, with a newer one.
   */
  private final Map<String, Map<String, Instant>> departed = new HashMap<>();

  /** When each instance last wrote its heartbeats, as a pass read it. */
  public record InstanceHeartbeats(Instant at, Map<String, Instant> written) {
    public static InstanceHeartbeats of(List<VersionedDocument<Heartbeats>> documents, Instant at) {
      var written = new HashMap<String, Instant>();
      documents.forEach(b -> written.put(b.value().instance(), b.value().writtenAt()));
      return new InstanceHeartbeats(at, Map.copyOf(written));
    }
  }

  private final Map<String, InstanceHeartbeats> instanceHeartbeats = new ConcurrentHashMap<>();

  /** When a cluster's documents were unreadable, oldest first, and since when they are. */
  private final Map<String, List<ServingHistory.Interval>> outages = new HashMap<>();

  private final Map<String, Instant> failingSince = new HashMap<>();

  public DueTimes(Ledger ledger) {
    this.ledger = ledger;
  }

  /** What is stored of a cluster's workers, as far as it is readable. */
  public static SortedMap<String, Instant> stored(Ledger ledger, String cluster) {
    var due = new TreeMap<String, Instant>();
    for (var heartbeats : ledger.query(new LedgerQuery.AllHeartbeats(cluster)).readableOnly())
      heartbeats.value().due().forEach((w, at) -> due.merge(w, at, (a, b) -> a.isAfter(b) ? a : b));
    return due;
  }

  /** When no instance could write heartbeats, as far as this instance noticed. */
  public synchronized List<ServingHistory.Interval> outages(String cluster) {
    return List.copyOf(outages.getOrDefault(cluster, List.of()));
  }

  private List<VersionedDocument<Heartbeats>> all(String cluster, Instant now) {
    try {
      // If one is missing, its workers' due times are unknown: a tick deletes an unreadable one.
      var all = ledger.query(new LedgerQuery.AllHeartbeats(cluster)).requireComplete();
      var since = failingSince.remove(cluster);
      if (since != null) outageEnded(cluster, new ServingHistory.Interval(since, now));
      return all;
    } catch (UnavailableException noLedger) {
      ledgerFailed(cluster, now);
      throw noLedger;
    }
  }

  /**
   * The ledger failed while this instance served the cluster: an instance that began in an outage
   * has never read due times, and knows of it by that alone. It counts until due times are read. A
   * repeat changes nothing.
   */
  public synchronized void ledgerFailed(String cluster, Instant now) {
    failingSince.putIfAbsent(cluster, now);
  }

  private void outageEnded(String cluster, ServingHistory.Interval outage) {
    var known = outages.computeIfAbsent(cluster, _ -> new ArrayList<>());
    known.removeIf(i -> i.to().plus(KEPT).isBefore(outage.to()));
    known.add(outage);
  }

  /**
   * What is stored of a cluster.
   *
   * @param instances the document of each function instance
   * @param due by worker, the newest time in any of them
   */
  public record Read(List<Heartbeats> instances, Map<String, Instant> due) {
    /** A copy with an instance's newest document instead of an older one. */
    public Read with(Heartbeats newest) {
      var others = instances.stream().filter(b -> !b.instance().equals(newest.instance()));
      return new Read(Stream.concat(others, Stream.of(newest)).toList(), due);
    }
  }

  public synchronized Read read(String cluster, Instant now) {
    var due = new HashMap<String, Instant>();
    var gone = departed.getOrDefault(cluster, Map.of());
    var named = new HashSet<String>();
    var all = all(cluster, now);
    instanceHeartbeats.put(cluster, InstanceHeartbeats.of(all, now));
    for (var heartbeats : all)
      heartbeats
          .value()
          .due()
          .forEach((worker, at) -> {
            if (!gone.isEmpty()) named.add(worker);
            if (gone.isEmpty() || at.isAfter(gone.getOrDefault(worker, Instant.MIN)))
              due.merge(worker, at, (a, b) -> a.isAfter(b) ? a : b);
          });
    if (!gone.isEmpty()) gone.keySet().retainAll(named);
    var instances =
        all.stream()
            .map(VersionedDocument::value)
            .filter(b -> !b.instance().equals(ROUNDS))
            .toList();
    return new Read(instances, due);
  }

  /** Records that a worker is gone: its last due time no longer counts. */
  public synchronized void workerGone(String cluster, String worker, Instant due) {
    departed.computeIfAbsent(cluster, _ -> new HashMap<>()).put(worker, due);
  }

  /** The instances found by the last read of the cluster; costs no read. */
  public Optional<InstanceHeartbeats> instanceHeartbeats(String cluster) {
    return Optional.ofNullable(instanceHeartbeats.get(cluster));
  }
}
