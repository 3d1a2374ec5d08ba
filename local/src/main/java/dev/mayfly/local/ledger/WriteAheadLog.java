package dev.mayfly.local.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * SQLite's log of commits that are not in the database yet. SQLite ends reading it at the first
 * frame whose checksum is wrong and says nothing of the commits behind. This looks before SQLite
 * opens it. The format: sqlite.org/fileformat2.html, "The Write-Ahead Log".
 */
final class WriteAheadLog {
  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int LITTLE_ENDIAN = 0x377f0682;
  private static final int BIG_ENDIAN = 0x377f0683;

  private final ByteBuffer log;
  private final int page;
  private final long salts;
  private int first;
  private int second;

  private WriteAheadLog(ByteBuffer log) {
    this.log = log;
    page = log.getInt(8);
    salts = log.getLong(16);
  }

  /**
   * What SQLite will leave out of the log beside the database, in a sentence; empty if nothing.
   * After a crash a transaction that was not committed is left out, of which nothing is said.
   */
  static Optional<String> damage(Path database) throws IOException {
    var file = database.resolveSibling(database.getFileName() + "-wal");
    if (!Files.exists(file) || Files.size(file) < HEADER) return Optional.empty();
    var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    var magic = bytes.getInt(0);
    if (magic != LITTLE_ENDIAN && magic != BIG_ENDIAN)
      return Optional.of(file + " is damaged at its beginning: all commits in it are lost");
    var lost = new WriteAheadLog(bytes).lostCommits();
    return lost == 0
        ? Optional.empty()
        : Optional.of(
            "%s is damaged: the last commits in it are lost, %d or more".formatted(file, lost));
  }

  private int lostCommits() {
    if (page < 512 || Integer.bitCount(page) != 1) return 1;
    add(0, FRAME_HEADER);
    var sound = first == log.getInt(24) && second == log.getInt(28);
    var lost = 0;
    for (var at = HEADER; at + FRAME_HEADER + page <= log.limit(); at += FRAME_HEADER + page) {
      // A frame of an earlier use of the file has other salts.
      var ours = log.getLong(at + 8) == salts;
      add(at, 8);
      add(at + FRAME_HEADER, page);
      sound &= ours && first == log.getInt(at + 16) && second == log.getInt(at + 20);
      var commits = ours && log.getInt(at + 4) != 0;
      if (commits && !sound) lost++;
    }
    return lost;
  }

  /** Adds bytes to the running checksum. */
  private void add(int from, int count) {
    var order = log.getInt(0) == BIG_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    var words = log.duplicate().order(order);
    for (var at = from; at < from + count; at += 8) {
      first += words.getInt(at) + second;
      second += words.getInt(at + 4) + first;
    }
  }
}
