package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
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
   * for it would lack these rows: readers take the days until the next commit begins it anew.
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
      else
        writes.add(
            unreadable.contains(id)
                ? new LedgerWrite.Delete(new DocumentKey.OfUsageMonth(cluster, id))
                : new LedgerWrite.Create(begun(id).plus(rows)));
    }
    return writes;
  }

  /** Of days that were written while there was no sum. */
  private Usage.Month begun(String id) {
    return new Usage.Month(cluster, id, ofDays(ledger, cluster, id));
  }

  /** What a month's days say. */
  static double ofDays(Ledger ledger, String cluster, String id) {
    return ledger
        .query(new LedgerQuery.Usages(cluster, id + "-01", DOCUMENTS))
        .readableOnly()
        .stream()
        .map(VersionedDocument::value)
        .filter(usage -> !usage.isEnded())
        .mapToDouble(usage -> Usage.Month.usd(id, usage.rows()))
        .sum();
  }
}
