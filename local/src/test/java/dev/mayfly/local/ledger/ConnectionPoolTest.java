package dev.mayfly.local.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connections when the file cannot be written, as on a full disk. */
class ConnectionPoolTest {
  private static final String INSERT =
      "insert into docs (kind, cluster, job, word, number, open, done, failed, version, json, path)"
          + " values ('', '', '', '', 0, 0, 0, 0, 0, ?, ?)";

  @TempDir Path home;
  private ConnectionPool connectionPool;

  @BeforeEach
  void open() {
    SqliteNativeLibrary.unpack(home.resolve("native"));
    connectionPool = new ConnectionPool(home.resolve("ledger.db"));
  }

  @AfterEach
  void close() {
    connectionPool.close();
  }

  @Test
  void fullDatabaseRecoversWhenSpaceReturns() {
    insert("before");
    full();
    for (var i = 0; i < 3; i++)
      assertThatThrownBy(() -> connectionPool.write(this::large, ok -> true))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("database or disk is full")
          .hasMessageContaining("free some");

    roomAgain();
    insert("after");

    assertThat(paths()).containsExactly("after", "before");
  }

  @Test
  void failedBatchLeavesNoTrace() {
    assertThatThrownBy(() ->
            connectionPool.write(
                sqliteConnection -> {
                  sqliteConnection.change(INSERT, List.of("{}", "half"));
                  return sqliteConnection.change("no statement", List.of());
                },
                ok -> true))
        .isInstanceOf(UnavailableException.class);

    insert("next");

    assertThat(paths()).containsExactly("next");
  }

  @Test
  void failedReadersAreReopened() {
    insert("there");
    for (var i = 0; i < 10; i++)
      assertThatThrownBy(() ->
              connectionPool.read(s -> s.all("select no such", List.of(), row -> row.getString(1))))
          .isInstanceOf(UnavailableException.class);

    assertThat(paths()).containsExactly("there");
  }

  /** Every connection has its own limit: each that is opened for writing gets it. */
  private boolean large(SqliteConnection sqliteConnection) {
    sqliteConnection.all("pragma max_page_count = 1", List.of(), row -> row.getLong(1));
    return sqliteConnection.change(INSERT, List.of("x".repeat(100_000), "large")) == 1;
  }

  private void full() {
    assertThatThrownBy(() -> connectionPool.write(this::large, ok -> true))
        .isInstanceOf(UnavailableException.class);
  }

  private void roomAgain() {
    connectionPool.write(
        sqliteConnection ->
            sqliteConnection.all(
                "pragma max_page_count = 1000000", List.of(), row -> row.getLong(1)),
        ok -> true);
  }

  private void insert(String path) {
    connectionPool.write(
        sqliteConnection -> sqliteConnection.change(INSERT, List.of("{}", path)), ok -> true);
  }

  private List<String> paths() {
    return connectionPool.read(
        s -> s.all("select path from docs order by path", List.of(), row -> row.getString(1)));
  }
}
