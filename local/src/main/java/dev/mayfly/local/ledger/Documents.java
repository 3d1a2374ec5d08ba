package dev.mayfly.local.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.port.Stored;
import dev.mayfly.wire.Wire;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Documents out of rows. */
final class Documents {
  static final String SELECT = "select json, version, path from docs where ";
  static final String ONE = SELECT + "path = ?";

  private Documents() {}

  static <D extends Document> Stored<D> stored(Class<D> type, ResultSet row) throws SQLException {
    try {
      var value = Wire.shared().document(type, row.getString(1).getBytes(UTF_8));
      return new Stored<>(value, row.getString(2));
    } catch (Invalid e) {
      // No user can mend it: the file was written by a version that this one cannot read.
      throw new IllegalStateException(
          "the ledger's " + row.getString(3) + " cannot be read: " + e.getMessage(), e);
    }
  }
}
