package dev.mayfly.agent.files;

import dev.mayfly.core.model.worker.Incarnation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code start} in the work directory: the start time of the agent's last incarnation. The
 * control plane accepts the latest incarnation only, so start times must increase even if the clock
 * is set back.
 */
public final class StartRecord {
  private static final Logger LOG = LoggerFactory.getLogger(StartRecord.class);

  private final Path file;

  public StartRecord(WorkDir workDir) {
    this.file = workDir.root().resolve("start");
  }

  /** The start time of this incarnation, written to disk before it is used. */
  public Instant next(Instant clock) throws IOException {
    var start = Incarnation.start(last(), clock);
    var half = file.resolveSibling("start.new");
    try (var channel =
        FileChannel.open(
            half,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      var bytes = ByteBuffer.wrap((start + "\n").getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) channel.write(bytes);
      channel.force(true);
    }
    Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return start;
  }

  private Optional<Instant> last() throws IOException {
    try {
      return Optional.of(
          Instant.parse(Files.readString(file, StandardCharsets.ISO_8859_1).strip()));
    } catch (NoSuchFileException first) {
      return Optional.empty();
    } catch (DateTimeException e) {
      LOG.warn("{} is not a time, so this start is ordered by the clock alone", file);
      return Optional.empty();
    }
  }
}
