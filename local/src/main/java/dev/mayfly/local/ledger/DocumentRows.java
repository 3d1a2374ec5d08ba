package dev.mayfly.local.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.wire.Wire;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Converts rows into documents. */
final class DocumentRows {
  static final String SELECT = "select json, version, path from docs where ";
  static final String ONE = SELECT + "path = ?";

  private DocumentRows() {}

  /**
   * Adds the row's document. It may be unreadable, because people edit the file and other versions
   * write it.
   *
   * @param file where it can be fixed
   */
  static <D extends LedgerDocument> void addRow(
      Class<D> type, ResultSet row, String file, QueryResult.Builder<D> listing)
      throws SQLException {
    var json = row.getString(1);
    var version = row.getString(2);
    listing.add(
        row.getString(3),
        file,
        () -> new VersionedDocument<>(Wire.shared().document(type, json.getBytes(UTF_8)), version));
  }
}
