package dev.mayfly.core.state.worker;

import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.plan.model.MonthSpent;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;

/** What ended machines add to the sums of their months. */
final class MonthSums {
  /** The most documents of a month's days, which are read once to begin its sum. */
  private static final int DOCUMENTS = 2_000;

  private final Ledger ledger;
  private final String cluster;

  MonthSums(Ledger ledger, String cluster) {
    this.ledger = ledger;
    this.cluster = cluster;
  }

  /**
   * The writes of a commit that adds the rows to their days. A sum that cannot be read is deleted,
   * for it would lack these rows: readers take the days until the next commit begins it anew. None
   * is begun while a day cannot be read, for it would lack that day for good.
   */
  List<LedgerWrite> adding(Collection<Usage.Row> rows) {
    var ids = new TreeSet<String>();
    for (var row : rows) ids.add(Usage.Month.id(row.day()));
    var read =
        ledger.readAll(ids.stream().map(id -> new DocumentKey.OfUsageMonth(cluster, id)).toList());
    var stored = new HashMap<String, VersionedDocument<Usage.Month>>();
    for (var month : read.readableOnly()) stored.put(month.value().id(), month);
    var unreadable = new HashSet<String>();
    read.unreadable().forEach(it -> unreadable.add(it.id()));
    var writes = new ArrayList<LedgerWrite>();
    for (var id : ids) {
      var before = stored.get(id);
      if (before != null)
        writes.add(new LedgerWrite.Update(before.value().plus(rows), before.version()));
      else if (unreadable.contains(id))
        writes.add(new LedgerWrite.Delete(new DocumentKey.OfUsageMonth(cluster, id)));
      else {
        var days = ofDays(ledger, cluster, id);
        if (days.unread().isEmpty())
          writes.add(new LedgerWrite.Create(new Usage.Month(cluster, id, days.usd()).plus(rows)));
      }
    }
    return writes;
  }

  /** What a month's days say, of which some may be written while there is no sum. */
  static MonthSpent ofDays(Ledger ledger, String cluster, String id) {
    var found = ledger.query(new LedgerQuery.Usages(cluster, id + "-01", DOCUMENTS));
    var usd =
        found.readableOnly().stream()
            .map(VersionedDocument::value)
            .filter(usage -> !usage.isEnded())
            .mapToDouble(usage -> Usage.Month.usd(id, usage.rows()))
            .sum();
    return new MonthSpent(
        usd,
        found.unreadable().stream()
            .filter(it -> it.id().startsWith(id))
            .findFirst()
            .map(UnreadableDocument::toString));
  }
}
