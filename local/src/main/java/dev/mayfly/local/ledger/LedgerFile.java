package dev.mayfly.local.ledger;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** The file of a ledger: whether it is still the one that was opened, and what its errors mean. */
final class LedgerFile {
  /** SQLite's codes for a file that is damaged, and for one that is no database. */
  private static final Set<Integer> DAMAGED = Set.of(11, 26);

  private final Path path;
  private volatile Optional<Object> opened = Optional.empty();

  LedgerFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** From now on it must stay the file that it is. */
  void opened() {
    opened = identity();
  }

  /**
   * Throws {@link UnavailableException} if the file was deleted or replaced since it was opened:
   * what is written goes to a file without a name, and is lost with this process.
   */
  void requireOpened() {
    if (opened.isEmpty() || opened.equals(identity())) return;
    throw new UnavailableException(
        "the ledger %s was deleted or replaced while it was in use, so that nothing is kept any more; end mayfly local and start it again: %s"
            .formatted(path, beginsAnew("the ledger is gone")));
  }

  private Optional<Object> identity() {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** Maps an error of the file: it may be damaged, its disk full, or its folder deleted. */
  UnavailableException failure(SQLException e) {
    var primary = e.getErrorCode() & 0xff;
    return new UnavailableException(
        DAMAGED.contains(primary)
            ? "the ledger %s is damaged (%s): end mayfly local, delete the folder %s and start it again: %s"
                .formatted(path, e.getMessage(), path.getParent(), beginsAnew("with it"))
            : "the ledger's file cannot be used: %s; if its disk is full, free some space; no restart is needed"
                .formatted(e.getMessage()),
        e);
  }

  private static String beginsAnew(String why) {
    return why
        + " clusters and jobs are forgotten, outputs and sentinels stay, so bring clusters up and submit jobs again: only what is not done runs";
  }
}
