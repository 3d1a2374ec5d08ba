package dev.mayfly.fuzz;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.TickSchedule;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.local.ledger.SqliteLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A ledger of the laptop cloud whose file was overwritten in places: each three bytes of the input
 * are a place and a value. It works, or says which file is damaged and what helps.
 */
final class LedgerTarget implements FuzzTarget {
  private static final DocumentKey.OfTickSchedule KEY = new DocumentKey.OfTickSchedule();

  @Override
  public String name() {
    return "ledgers";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new byte[0],
        new byte[] {0, 0, 'x', 0, 1, 'x', 0, 16, 0},
        new byte[] {0, 100, 1, 1, 0, (byte) 0xff, 17, 0, 9});
  }

  /** SQLite waits for the disk. */
  @Override
  public Duration longest() {
    return Duration.ofSeconds(10);
  }

  @Override
  public boolean accepts(byte[] input) throws IOException {
    var home = Files.createTempDirectory("mayfly-fuzz-");
    try {
      try (var ledger = SqliteLedger.open(home)) {
        put(ledger);
      }
      var file = home.resolve("ledger/ledger.db");
      overwrite(file, input);
      return works(home);
    } finally {
      TempFolders.delete(home);
    }
  }

  private static void put(SqliteLedger ledger) {
    ledger.commit(
        List.of(new LedgerWrite.Put(new TickSchedule(TickSchedule.Want.RUN, Instant.EPOCH))));
  }

  private static void overwrite(Path file, byte[] input) throws IOException {
    var bytes = Files.readAllBytes(file);
    for (var i = 0; i + 2 < input.length; i += 3) {
      var place = Byte.toUnsignedInt(input[i]) << 8 | Byte.toUnsignedInt(input[i + 1]);
      bytes[place % bytes.length] = input[i + 2];
    }
    Files.write(file, bytes);
  }

  private static boolean works(Path home) {
    try (var ledger = SqliteLedger.open(home)) {
      boolean unused = ledger.read(KEY).isPresent();
      put(ledger);
      return true;
    } catch (UnavailableException refused) {
      if (!String.valueOf(refused.getMessage()).contains("ledger")) throw refused;
      return false;
    }
  }
}
