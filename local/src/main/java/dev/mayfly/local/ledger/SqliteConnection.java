package dev.mayfly.local.ledger;

import dev.mayfly.core.error.UnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One connection and its prepared statements; for one thread at a time. */
final class SqliteConnection implements AutoCloseable {
  /** Makes a value of one row. */
  interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private boolean sound = true;

  SqliteConnection(Connection connection) {
    this.connection = connection;
  }

  /**
   * False once anything of it failed. Then nobody knows in which state its statements and its
   * transaction are: a disk that is full ends the one and not always the other.
   */
  boolean isSound() {
    return sound;
  }

  <T> List<T> all(String sql, List<?> values, RowMapper<T> rowMapper) {
    try {
      var found = new ArrayList<T>();
      try (var rows = bound(sql, values).executeQuery()) {
        while (rows.next()) found.add(rowMapper.map(rows));
      }
      return found;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Something to do with one row. */
  interface RowConsumer {
    void accept(ResultSet row) throws SQLException;
  }

  void each(String sql, List<?> values, RowConsumer work) {
    all(
        sql,
        values,
        row -> {
          work.accept(row);
          return row;
        });
  }

  /** How many rows it changed. */
  int change(String sql, List<?> values) {
    try {
      return bound(sql, values).executeUpdate();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private UnavailableException failed(SQLException e) {
    sound = false;
    return unavailable(e);
  }

  private PreparedStatement bound(String sql, List<?> values) throws SQLException {
    var statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (var i = 0; i < values.size(); i++) statement.setObject(i + 1, values.get(i));
    return statement;
  }

  /** What went wrong in the file: the disk may be full, or the folder gone. */
  static UnavailableException unavailable(SQLException e) {
    return new UnavailableException(
        "the ledger's file cannot be used now: %s; if its disk is full, free some of it: nothing has to be started again"
            .formatted(e.getMessage()),
        e);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw unavailable(e);
    }
  }
}
