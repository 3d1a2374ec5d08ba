package dev.mayfly.local.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.wire.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One batch of writes in one transaction. */
final class SqliteWriteBatch {

  private static final String INSERT =
      "insert into docs (kind, cluster, job, word, number, open, done, failed, version, json, path)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String SET =
      "kind = ?, cluster = ?, job = ?, word = ?, number = ?, open = ?, done = ?, failed = ?,"
          + " version = ?, json = ?";
  private static final String CREATE = INSERT + " on conflict do nothing";
  private static final String UPDATE = "update docs set " + SET + " where path = ? and version = ?";
  private static final String PUT =
      INSERT
          + " on conflict do update set kind = excluded.kind, cluster = excluded.cluster, job ="
          + " excluded.job,"
          + " word = excluded.word, number = excluded.number, open = excluded.open, done ="
          + " excluded.done,"
          + " failed = excluded.failed, version = excluded.version, json = excluded.json";

  private final Wire wire = Wire.shared();
  private final List<LedgerWrite> ledgerWrites;

  SqliteWriteBatch(List<LedgerWrite> ledgerWrites) {
    if (ledgerWrites.size() > BatchSize.MAX_WRITES)
      throw new IllegalArgumentException(
          ledgerWrites.size() + " writes in a batch; at most " + BatchSize.MAX_WRITES);
    var paths = new HashSet<String>();
    for (var ledgerWrite : ledgerWrites)
      if (!paths.add(ledgerWrite.key().path()))
        throw new IllegalArgumentException("twice in one batch: " + ledgerWrite.key().path());
    this.ledgerWrites = ledgerWrites;
  }

  CommitResult run(SqliteConnection sqliteConnection) {
    var versions = new ArrayList<String>();
    var next = firstVersion(sqliteConnection);
    for (var ledgerWrite : ledgerWrites) {
      if (!written(sqliteConnection, ledgerWrite, next))
        return new CommitResult.Conflict(ledgerWrite.key());
      versions.add(ledgerWrite instanceof LedgerWrite.Delete ? "" : Long.toString(next));
      next++;
    }
    return new CommitResult.Done(versions);
  }

  /** Reserves versions, which are never reused, even after a document was deleted. */
  private long firstVersion(SqliteConnection sqliteConnection) {
    sqliteConnection.change("update versions set last = last + ?", List.of(ledgerWrites.size()));
    var last =
        sqliteConnection
            .all("select last from versions", List.of(), row -> row.getLong(1))
            .getFirst();
    return last - ledgerWrites.size() + 1;
  }

  private boolean written(
      SqliteConnection sqliteConnection, LedgerWrite ledgerWrite, long version) {
    return switch (ledgerWrite) {
      case LedgerWrite.Create c ->
          sqliteConnection.change(CREATE, values(c.document(), version)) == 1;
      case LedgerWrite.Update u -> update(sqliteConnection, u, version);
      case LedgerWrite.Put p -> sqliteConnection.change(PUT, values(p.document(), version)) == 1;
      case LedgerWrite.Delete d ->
          sqliteConnection.change("delete from docs where path = ?", List.of(d.key().path())) >= 0;
      case LedgerWrite.Signal s ->
          sqliteConnection.change(PUT, values(merged(sqliteConnection, s), version)) == 1;
    };
  }

  private boolean update(
      SqliteConnection sqliteConnection, LedgerWrite.Update update, long version) {
    var values = values(update.document(), version);
    values.add(update.version());
    return sqliteConnection.change(UPDATE, values) == 1;
  }

  private List<Object> values(LedgerDocument ledgerDocument, long version) {
    var queryColumns = QueryColumns.of(ledgerDocument);
    return new ArrayList<>(
        List.of(
            queryColumns.kind(),
            queryColumns.cluster(),
            queryColumns.job(),
            queryColumns.word(),
            queryColumns.number(),
            queryColumns.open(),
            queryColumns.done(),
            queryColumns.failed(),
            version,
            new String(wire.document(ledgerDocument), UTF_8),
            ledgerDocument.key().path()));
  }

  private ChangeSignal merged(SqliteConnection sqliteConnection, LedgerWrite.Signal signal) {
    var key = new DocumentKey.OfChangeSignal(signal.cluster());
    var found = new QueryResult.Builder<ChangeSignal>();
    sqliteConnection.each(
        DocumentRows.ONE,
        List.of(key.path()),
        row -> DocumentRows.addRow(ChangeSignal.class, row, "", found));
    // An unreadable change signal is overwritten.
    var old = found.build().readableOnly().stream().map(VersionedDocument::value).findFirst();
    var workers = new TreeMap<String, Instant>(old.map(ChangeSignal::workers).orElse(Map.of()));
    for (var worker : signal.workers()) workers.put(worker, signal.at());
    var work = signal.work() ? signal.at() : old.map(ChangeSignal::work).orElse(Instant.EPOCH);
    return new ChangeSignal(signal.cluster(), work, workers);
  }
}
