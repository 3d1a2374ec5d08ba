package dev.mayfly.local.ledger;

import dev.mayfly.core.error.Unavailable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.sqlite.SQLiteConfig;

/**
 * One connection that writes and a few that read. Readers see the last commit and never wait for
 * the writer.
 */
final class Sessions implements AutoCloseable {
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
          "create table if not exists versions (last integer not null)",
          "insert into versions select 0 where not exists (select 1 from versions)",
          """
          create trigger if not exists edited_by_hand after update of json on docs when new.version = old.version
          begin
            update versions set last = last + 1;
            update docs set version = (select last from versions) where path = new.path;
          end\
          """);

  private final ReentrantLock writing = new ReentrantLock();
  private final Session writer;
  private final BlockingQueue<Session> readers = new ArrayBlockingQueue<>(READERS);
  private final List<Session> all = new ArrayList<>();

  Sessions(Path file) {
    this.writer = open(file);
    write(Sessions::makeTables, made -> true);
    for (var i = 0; i < READERS; i++) readers.add(open(file));
  }

  private static boolean makeTables(Session session) {
    for (var table : TABLES) session.change(table, List.of());
    return true;
  }

  private Session open(Path file) {
    try {
      var session = new Session(connect(file));
      all.add(session);
      return session;
    } catch (SQLException e) {
      close();
      throw Session.unavailable(e);
    }
  }

  private static Connection connect(Path file) throws SQLException {
    var config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection("jdbc:sqlite:" + file);
  }

  <T> T read(Function<Session, T> work) {
    var session = reader();
    try {
      return work.apply(session);
    } finally {
      readers.add(session);
    }
  }

  private Session reader() {
    try {
      var session = readers.poll(BUSY_MILLIS, TimeUnit.MILLISECONDS);
      if (session == null)
        throw new Unavailable("the ledger has too many readers at once; try again");
      return session;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("interrupted while waiting for the ledger", e);
    }
  }

  /** Runs {@code work} in a transaction, which is kept if {@code keep} says so of the result. */
  <T> T write(Function<Session, T> work, Function<T, Boolean> keep) {
    writing.lock();
    try {
      writer.change("begin immediate", List.of());
      var result = work.apply(writer);
      writer.change(keep.apply(result) ? "commit" : "rollback", List.of());
      return result;
    } catch (RuntimeException e) {
      rollback(e);
      throw e;
    } finally {
      writing.unlock();
    }
  }

  /** SQLite may have rolled back by itself, as it does when the disk is full. */
  private void rollback(RuntimeException because) {
    try {
      writer.change("rollback", List.of());
    } catch (Unavailable e) {
      because.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    all.forEach(Session::close);
  }
}
