package dev.mayfly.core.query.cost;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.QueryResult;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what a cluster's machines have counted, those that run and those that have ended. */
final class UsageReader {
  static final int MOST_WORKERS = 2_000;
  static final int MOST_DOCUMENTS = 1_000;

  /** A machine that ends between two readings moves what it counted: then both are read again. */
  private static final int READINGS = 3;

  private final Ledger ledger;
  private final String cluster;
  private final LocalDate since;

  UsageReader(Ledger ledger, String cluster, LocalDate since) {
    this.ledger = ledger;
    this.cluster = cluster;
    this.since = since;
  }

  /**
   * @param workers counted until the reading
   * @param rows of ended machines, since the first day
   * @param leftOut what could not be read, a sentence each
   */
  record Reading(List<Worker> workers, List<Usage.Row> rows, List<String> leftOut) {
    /** Those of living and of ended machines. */
    List<Usage.Row> all(LocalDate since) {
      var all = new ArrayList<>(rows);
      for (var worker : workers)
        for (var row : Usage.rows(worker)) if (!row.day().isBefore(since)) all.add(row);
      return all;
    }
  }

  Reading read(Instant now) {
    var before = usages();
    for (var i = 1; ; i++) {
      var workers = ledger.query(new LedgerQuery.Workers(cluster, false, MOST_WORKERS));
      var after = usages();
      if (i < READINGS && !versions(before).equals(versions(after))) {
        before = after;
        continue;
      }
      var leftOut = new ArrayList<String>();
      workers.unreadable().stream().map(UnreadableDocument::toString).forEach(leftOut::add);
      after.unreadable().stream().map(UnreadableDocument::toString).forEach(leftOut::add);
      if (after.size() >= MOST_DOCUMENTS)
        leftOut.add(
            "what is after the first %d documents of usage; ask for fewer days"
                .formatted(MOST_DOCUMENTS));
      if (workers.size() >= MOST_WORKERS)
        leftOut.add("machines after the first %d that run".formatted(MOST_WORKERS));
      return new Reading(
          workers.readableOnly().stream().map(it -> it.value().counted(now)).toList(),
          after.readableOnly().stream()
              .flatMap(it -> it.value().rows().stream())
              .filter(row -> !row.day().isBefore(since))
              .toList(),
          leftOut);
    }
  }

  private QueryResult<Usage> usages() {
    return ledger.query(new LedgerQuery.Usages(cluster, since.toString(), MOST_DOCUMENTS));
  }

  private static Map<String, String> versions(QueryResult<Usage> usages) {
    var versions = new TreeMap<String, String>();
    for (var it : usages.readableOnly())
      versions.put(it.value().id(), String.valueOf(it.version()));
    usages.unreadable().forEach(it -> versions.put(it.id(), ""));
    return versions;
  }
}
