package dev.mayfly.local.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Stored;
import dev.mayfly.wire.Wire;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Documents out of rows. */
final class Documents {
  static final String SELECT = "select json, version, path from docs where ";
  static final String ONE = SELECT + "path = ?";

  private Documents() {}

  /**
   * Adds what is in the row: people edit the file, and other versions write it.
   *
   * @param file where it can be mended
   */
  static <D extends Document> void read(
      Class<D> type, ResultSet row, String file, Listing.Builder<D> listing) throws SQLException {
    var json = row.getString(1);
    var version = row.getString(2);
    listing.add(
        row.getString(3),
        file,
        () -> new Stored<>(Wire.shared().document(type, json.getBytes(UTF_8)), version));
  }
}
