package dev.mayfly.local.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Unavailable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to the connections when the file cannot be written, as on a disk that is full. */
class SessionsTest {
  private static final String INSERT =
      "insert into docs (kind, cluster, job, word, number, open, done, failed, version, json, path)"
          + " values ('', '', '', '', 0, 0, 0, 0, 0, ?, ?)";

  @TempDir Path home;
  private Sessions sessions;

  @BeforeEach
  void open() {
    Library.unpack(home.resolve("native"));
    sessions = new Sessions(home.resolve("ledger.db"));
  }

  @AfterEach
  void close() {
    sessions.close();
  }

  @Test
  void aFullFileIsWrittenAgainWhenItHasRoom() {
    insert("before");
    full();
    for (var i = 0; i < 3; i++)
      assertThatThrownBy(() -> sessions.write(this::large, ok -> true))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("database or disk is full")
          .hasMessageContaining("free some");

    roomAgain();
    insert("after");

    assertThat(paths()).containsExactly("after", "before");
  }

  @Test
  void whatFailedInTheMiddleLeavesNothingBehind() {
    assertThatThrownBy(() ->
            sessions.write(
                session -> {
                  session.change(INSERT, List.of("{}", "half"));
                  return session.change("no statement", List.of());
                },
                ok -> true))
        .isInstanceOf(Unavailable.class);

    insert("next");

    assertThat(paths()).containsExactly("next");
  }

  @Test
  void readersThatFailedAreOpenedAnew() {
    insert("there");
    for (var i = 0; i < 10; i++)
      assertThatThrownBy(
              () -> sessions.read(s -> s.all("select no such", List.of(), row -> row.getString(1))))
          .isInstanceOf(Unavailable.class);

    assertThat(paths()).containsExactly("there");
  }

  /** Every connection has its own limit: each that is opened for writing gets it. */
  private boolean large(Session session) {
    session.all("pragma max_page_count = 1", List.of(), row -> row.getLong(1));
    return session.change(INSERT, List.of("x".repeat(100_000), "large")) == 1;
  }

  private void full() {
    assertThatThrownBy(() -> sessions.write(this::large, ok -> true))
        .isInstanceOf(Unavailable.class);
  }

  private void roomAgain() {
    sessions.write(
        session -> session.all("pragma max_page_count = 1000000", List.of(), row -> row.getLong(1)),
        ok -> true);
  }

  private void insert(String path) {
    sessions.write(session -> session.change(INSERT, List.of("{}", path)), ok -> true);
  }

  private List<String> paths() {
    return sessions.read(
        s -> s.all("select path from docs order by path", List.of(), row -> row.getString(1)));
  }
}
