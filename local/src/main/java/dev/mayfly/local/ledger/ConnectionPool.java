package dev.mayfly.local.ledger;

import dev.mayfly.core.error.UnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;

/**
 * One connection for writes and a few for reads. Readers see the last commit and never wait for the
 * writer.
 */
final class ConnectionPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);
  private static final int READERS = 4;
  private static final int BUSY_MILLIS = 5_000;

  private static final List<String> TABLES =
      List.of(
          """
          create table if not exists docs (
            path text primary key, kind text not null, cluster text not null, job text not null,
            word text not null, number integer not null, open integer not null, done integer not null,
            failed integer not null, version integer not null, json text not null) without rowid\
          """,
          "create index if not exists by_word on docs (kind, cluster, job, word, number)",
          "create index if not exists by_number on docs (kind, cluster, job, number)",
          "create index if not exists owing on docs (path) where kind = 'event' and open > 0",
          "create table if not exists versions (last integer not null)",
          "insert into versions select 0 where not exists (select 1 from versions)",
          """
          create trigger if not exists edited_by_hand after update of json on docs when new.version = old.version
          begin
            update versions set last = last + 1;
            update docs set version = (select last from versions) where path = new.path;
          end\
          """);

  private final LedgerFile file;
  private final ReentrantLock writing = new ReentrantLock();
  private final Set<SqliteConnection> open = ConcurrentHashMap.newKeySet();

  /** Empty while it must be reopened. */
  private Optional<SqliteConnection> writer;

  private final BlockingQueue<Optional<SqliteConnection>> readers =
      new ArrayBlockingQueue<>(READERS);

  ConnectionPool(Path path) {
    file = new LedgerFile(path);
    writer = Optional.of(open());
    try {
      write(ConnectionPool::makeTables, made -> true);
      file.opened();
      for (var i = 0; i < READERS; i++) readers.add(Optional.of(open()));
    } catch (UnavailableException e) {
      close();
      throw e;
    }
  }

  private static boolean makeTables(SqliteConnection sqliteConnection) {
    for (var table : TABLES) sqliteConnection.change(table, List.of());
    return true;
  }

  private SqliteConnection open() {
    try {
      var sqliteConnection = new SqliteConnection(connect(file.path()), file);
      open.add(sqliteConnection);
      return sqliteConnection;
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }

  /** The connection for its next use; empty if its state is unknown. */
  private Optional<SqliteConnection> after(SqliteConnection sqliteConnection) {
    if (sqliteConnection.isSound()) return Optional.of(sqliteConnection);
    open.remove(sqliteConnection);
    try {
      sqliteConnection.close();
    } catch (UnavailableException e) {
      LOG.warn("A connection to {} was not closed: {}", file.path(), e.getMessage());
    }
    return Optional.empty();
  }

  private static Connection connect(Path file) throws SQLException {
    var config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  <T> T read(Function<SqliteConnection, T> work) {
    file.requireOpened();
    var next = reader();
    try {
      var sqliteConnection = next.orElseGet(this::open);
      next = Optional.of(sqliteConnection);
      return work.apply(sqliteConnection);
    } finally {
      readers.add(next.flatMap(this::after));
    }
  }

  private Optional<SqliteConnection> reader() {
    try {
      var next = readers.poll(BUSY_MILLIS, TimeUnit.MILLISECONDS);
      if (next == null)
        throw new UnavailableException("the ledger has too many concurrent readers; try again");
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while waiting for the ledger", e);
    }
  }

  /** Runs {@code work} in a transaction, which is committed if {@code keep} accepts the result. */
  <T> T write(Function<SqliteConnection, T> work, Function<T, Boolean> keep) {
    file.requireOpened();
    writing.lock();
    try {
      var sqliteConnection = writer.orElseGet(this::open);
      writer = Optional.of(sqliteConnection);
      return write(sqliteConnection, work, keep);
    } finally {
      writer = writer.flatMap(this::after);
      writing.unlock();
    }
  }

  private static <T> T write(
      SqliteConnection sqliteConnection,
      Function<SqliteConnection, T> work,
      Function<T, Boolean> keep) {
    sqliteConnection.change("begin immediate", List.of());
    try {
      var result = work.apply(sqliteConnection);
      sqliteConnection.change(keep.apply(result) ? "commit" : "rollback", List.of());
      return result;
    } catch (RuntimeException e) {
      rollback(sqliteConnection, e);
      throw e;
    }
  }

  /** Rolls back. A failed connection is closed, which also rolls back. */
  private static void rollback(SqliteConnection sqliteConnection, RuntimeException because) {
    if (!sqliteConnection.isSound()) return;
    try {
      sqliteConnection.change("rollback", List.of());
    } catch (UnavailableException e) {
      because.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    open.forEach(SqliteConnection::close);
  }
}
