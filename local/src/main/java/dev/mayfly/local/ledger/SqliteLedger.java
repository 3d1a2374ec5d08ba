package dev.mayfly.local.ledger;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All state of a laptop cloud in one file. Commits are durable when they return, and atomic across
 * processes. Watches see only the commits of this process, the only one with a control plane.
 */
public final class SqliteLedger implements Ledger, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteLedger.class);
  private static final int MOST_KEYS = 500;
  private static final String TOTALS =
      """
      select coalesce(sum(done), 0), coalesce(sum(failed), 0), coalesce(sum(iif(word in ('ready', 'spent'), open, 0)), 0),
        coalesce(sum(iif(word = 'leased', open, 0)), 0), count(*)
      from docs where kind = 'shard' and cluster = ? and job = ?\
      """;

  private final ConnectionPool connectionPool;
  private final String file;
  private final List<SqliteChangeWatch> watches = new CopyOnWriteArrayList<>();

  private SqliteLedger(Path file) {
    connectionPool = new ConnectionPool(file);
    this.file = file + " (SQLite: table docs, column json)";
  }

  /**
   * Opens the ledger under {@code home}, or creates an empty one. After a crash it has the state of
   * the last commit. Throws {@link UnavailableException} if the folder cannot be written.
   *
   * @param home {@code $MAYFLY_HOME}
   */
  public static SqliteLedger open(Path home) {
    SqliteNativeLibrary.unpack(home.resolve("native"));
    var folder = home.resolve("ledger");
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UnavailableException(
          "cannot create the folder " + folder + ": " + e.getMessage(), e);
    }
    var file = folder.resolve("ledger.db");
    warnOfLostCommits(file);
    return new SqliteLedger(file);
  }

  private static void warnOfLostCommits(Path file) {
    try {
      WriteAheadLog.damage(file)
          .ifPresent(damage ->
              LOG.warn(
                  "{}; jobs may be shown as they were before, or be gone: submit them again, and only what is not done runs",
                  damage));
    } catch (IOException unread) {
      LOG.warn("{}'s log cannot be read: {}", file, unread.getMessage());
    }
  }

  @Override
  public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
      DocumentKey<D> documentKey) {
    return found(documentKey.type(), DocumentRows.ONE, List.of(documentKey.path()))
        .requireComplete()
        .stream()
        .findFirst();
  }

  private <D extends LedgerDocument> QueryResult<D> found(
      Class<D> type, String sql, List<?> values) {
    return connectionPool.read(sqliteConnection -> {
      var listing = new QueryResult.Builder<D>();
      sqliteConnection.each(sql, values, row -> DocumentRows.addRow(type, row, file, listing));
      return listing.build();
    });
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> readAll(
      Collection<? extends DocumentKey<D>> keys) {
    if (keys.size() > MOST_KEYS)
      throw new IllegalArgumentException(keys.size() + " keys; at most " + MOST_KEYS);
    if (keys.isEmpty()) return new QueryResult<>(List.of(), List.of());
    var paths = keys.stream().map(DocumentKey::path).toList();
    var type = keys.iterator().next().type();
    var sql = DocumentRows.SELECT + "path in (?" + ", ?".repeat(paths.size() - 1) + ")";
    var place = new HashMap<String, Integer>();
    for (var path : paths) place.put(path, place.size());
    return found(type, sql, paths).sorted(Comparator.comparing(d -> place.get(d.key().path())));
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
    var sqlQuery = SqlQuery.of(ledgerQuery);
    return found(sqlQuery.type(), DocumentRows.SELECT + sqlQuery.where(), sqlQuery.values());
  }

  @Override
  public TaskTotals totals(DocumentKey.OfJob job) {
    return connectionPool
        .read(s ->
            s.all(
                TOTALS,
                List.of(job.cluster(), job.job()),
                row ->
                    new TaskTotals(
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5))))
        .getFirst();
  }

  @Override
  public CommitResult commit(List<LedgerWrite> ledgerWrites) {
    if (ledgerWrites.isEmpty()) return new CommitResult.Done(List.of());
    var sqliteWriteBatch = new SqliteWriteBatch(ledgerWrites);
    var commitResult = connectionPool.write(sqliteWriteBatch::run, CommitResult::done);
    if (!commitResult.done()) return commitResult;
    for (var ledgerWrite : ledgerWrites)
      if (ledgerWrite.key() instanceof DocumentKey.OfChangeSignal pulse)
        signalChange(pulse.cluster());
    return commitResult;
  }

  private void signalChange(String cluster) {
    for (var watch : watches) watch.changed(cluster);
  }

  @Override
  public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
    var key = new DocumentKey.OfChangeSignal(cluster);
    var watch =
        new SqliteChangeWatch(
            cluster, () -> read(key).map(VersionedDocument::value), listener, watches::remove);
    watches.add(watch);
    Thread.ofVirtual().name("pulse-" + cluster).start(watch);
    return watch;
  }

  /** Ends all watches and closes the file. */
  @Override
  public void close() {
    watches.forEach(SqliteChangeWatch::close);
    connectionPool.close();
  }
}
