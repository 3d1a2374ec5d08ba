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

/** One connection with its prepared statements; used by one thread at a time. */
final class SqliteConnection implements AutoCloseable {
  /** Maps one row to a value. */
  interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final LedgerFile file;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private boolean sound = true;

  SqliteConnection(Connection connection, LedgerFile file) {
    this.connection = connection;
    this.file = file;
  }

  /**
   * False after any failure. The state of its statements and transaction is then unknown: a full
   * disk may end a statement without its transaction.
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

  /** Consumes one row. */
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

  /** Executes a change and returns the number of changed rows. */
  int change(String sql, List<?> values) {
    try {
      return bound(sql, values).executeUpdate();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private UnavailableException failed(SQLException e) {
    sound = false;
    return file.failure(e);
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

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw file.failure(e);
    }
  }
}
