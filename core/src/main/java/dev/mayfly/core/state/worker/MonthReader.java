package dev.mayfly.core.state.worker;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.MonthSpent;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads what a cluster with a limit by the month has spent in this one. */
public final class MonthReader {
  private static final int MOST_WORKERS = 10_000;
  private static final int MOST_MOVED = 1_000;

  /** A machine that ends between two readings moves what it counted: then both are read again. */
  private static final int READINGS = 3;

  private final Ledger ledger;

  public MonthReader(Ledger ledger) {
    this.ledger = ledger;
  }

  /** What machines have given away that is in no day yet, and what the month's days add up to. */
  private record Reading(String id, List<Usage> moved, MonthSpent days) {
    MonthSpent with(Collection<Worker> workers, Instant now) {
      var spent = days.usd();
      for (var usage : moved) spent += Usage.Month.usd(id, usage.rows());
      for (var worker : workers) spent += Usage.Month.usd(id, Usage.rows(worker.counted(now)));
      return new MonthSpent(spent, days.unread());
    }
  }

  /**
   * What was spent until now, with workers that were read before: more than that if one of them has
   * ended since, never less unless it says what cannot be read. Empty for a cluster without a
   * limit, which costs no read; others cost two.
   */
  public Optional<MonthSpent> atMost(Cluster cluster, Collection<Worker> workers, Instant now) {
    if (cluster.spec().usdPerMonth().isEmpty()) return Optional.empty();
    return Optional.of(read(cluster, now).with(workers, now));
  }

  /** What was spent until now; empty while machines end again and again between readings. */
  Optional<MonthSpent> exactly(Cluster cluster, Instant now) {
    var before = read(cluster, now);
    for (var i = 0; i < READINGS; i++) {
      var workers =
          ledger.query(new LedgerQuery.Workers(cluster.uid(), false, MOST_WORKERS)).readableOnly();
      var after = read(cluster, now);
      if (after.equals(before))
        return Optional.of(
            after.with(workers.stream().map(VersionedDocument::value).toList(), now));
      before = after;
    }
    return Optional.empty();
  }

  /** What a cluster without machines has spent in this month, as far as it can be read. */
  public double ofEnded(String cluster, Instant now) {
    return read(cluster, now).with(List.of(), now).usd();
  }

  /** First what moves, then where it moves to: what is added up in between is in both. */
  private Reading read(Cluster cluster, Instant now) {
    return read(cluster.uid(), now);
  }

  private Reading read(String cluster, Instant now) {
    var id = Usage.Month.id(LocalDate.ofInstant(now, ZoneOffset.UTC));
    var found = ledger.query(new LedgerQuery.Usages(cluster, Usage.ENDED, MOST_MOVED));
    var moved = found.readableOnly().stream().map(VersionedDocument::value).toList();
    var sum = ledger.readAll(List.of(new DocumentKey.OfUsageMonth(cluster, id))).readableOnly();
    var days =
        sum.isEmpty()
            ? MonthSums.ofDays(ledger, cluster, id)
            : MonthSpent.known(sum.getFirst().value().usd());
    return new Reading(id, moved, new MonthSpent(days.usd(), unread(found).or(days::unread)));
  }

  private static Optional<String> unread(QueryResult<Usage> moved) {
    if (moved.size() >= MOST_MOVED)
      return Optional.of(
          "the cost of ended machines is not added up yet: %,d of them or more"
              .formatted(MOST_MOVED));
    return moved.unreadable().stream().findFirst().map(UnreadableDocument::toString);
  }
}
