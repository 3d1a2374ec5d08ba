package dev.mayfly.local.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.port.LedgerWrite;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to the ledger's file from outside is said, with a remedy that works. */
class DamagedLedgerTest {
  private static final DocumentKey.OfTickSchedule TICKS = new DocumentKey.OfTickSchedule();
  private static final int COMMITS = 20;

  @TempDir Path home;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = home.resolve("ledger/ledger.db");
  }

  /** As a process that was killed leaves them: with a log that is not in the database yet. */
  private Path killed() throws IOException {
    var copy = Files.createDirectories(home.resolve("copy/ledger"));
    try (var ledger = SqliteLedger.open(home)) {
      commit(ledger);
      for (var name : List.of("ledger.db", "ledger.db-wal"))
        Files.copy(file.resolveSibling(name), copy.resolve(name));
    }
    return copy.resolve("ledger.db");
  }

  private static void commit(SqliteLedger ledger) {
    for (var i = 1; i <= COMMITS; i++)
      ledger.commit(List.of(new LedgerWrite.Put(SqliteLedgerTest.ticks(i))));
  }

  private static void overwrite(Path file, long at) throws IOException {
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      bytes.write(new byte[64]);
      bytes.seek(at);
      bytes.writeBytes("overwritten from outside");
    }
  }

  @Test
  void damagedFileNamesRemedyThatWorks() throws IOException {
    var damaged = killed();
    Files.delete(damaged.resolveSibling("ledger.db-wal"));
    Files.writeString(damaged, "this was a database once, and now it is a text ".repeat(100));

    assertThatThrownBy(() -> SqliteLedger.open(home.resolve("copy")))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("ledger.db is damaged")
        .hasMessageContaining("delete the folder " + damaged.getParent())
        .hasMessageContaining("outputs and sentinels stay");

    Files.delete(damaged);
    Files.delete(damaged.getParent());
    try (var ledger = SqliteLedger.open(home.resolve("copy"))) {
      assertThat(ledger.read(TICKS)).isEmpty();
    }
  }

  @Test
  void fileDeletedWhileInUseIsNoticed() throws IOException {
    try (var ledger = SqliteLedger.open(home)) {
      commit(ledger);
      Files.delete(file);

      assertThatThrownBy(() -> commit(ledger))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("was deleted or replaced while it was in use")
          .hasMessageContaining("start it again");
      assertThatThrownBy(() -> ledger.read(TICKS)).isInstanceOf(UnavailableException.class);

      Files.writeString(file, "another");
      assertThatThrownBy(() -> commit(ledger)).hasMessageContaining("replaced");
    }
  }

  /** What the ledger tells in its process's log, from which `mayfly local` takes warnings. */
  private static SqliteLedger warned(Supplier<SqliteLedger> open, List<String> warnings) {
    var logger = Logger.getLogger(SqliteLedger.class.getName());
    var handler =
        new Handler() {
          @Override
          public void publish(LogRecord told) {
            warnings.add(told.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      return open.get();
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void logThatSqliteWouldCutIsSaid() throws IOException {
    var database = killed();
    var log = database.resolveSibling("ledger.db-wal");
    assertThat(WriteAheadLog.damage(database)).isEmpty();

    overwrite(log, Files.size(log) / 2);

    assertThat(WriteAheadLog.damage(database))
        .hasValueSatisfying(said ->
            assertThat(said).contains("ledger.db-wal is damaged: the last commits in it are lost"));
    var warnings = new ArrayList<String>();
    try (var ledger = warned(() -> SqliteLedger.open(home.resolve("copy")), warnings)) {
      assertThat(warnings)
          .singleElement()
          .asString()
          .contains("the last commits in it are lost", "submit them again");
      var second = ledger.read(TICKS).orElseThrow().value().since().getEpochSecond();
      assertThat(second).as("SQLite has cut it").isLessThan(COMMITS);
    }
  }

  @Test
  void logDamagedAtItsBeginningIsSaid() throws IOException {
    var database = killed();
    overwrite(database.resolveSibling("ledger.db-wal"), 0);

    assertThat(WriteAheadLog.damage(database)).isPresent();
  }

  /** A writer that was killed leaves a transaction that was never committed. */
  @Test
  void transactionWithoutCommitIsNoDamage() throws IOException {
    var database = killed();
    var log = database.resolveSibling("ledger.db-wal");
    try (var bytes = new RandomAccessFile(log.toFile(), "rw")) {
      bytes.setLength(bytes.length() - 2_000);
    }

    assertThat(WriteAheadLog.damage(database)).isEmpty();
    assertThat(WriteAheadLog.damage(home.resolve("none.db"))).isEmpty();
  }
}
