package dev.mayfly.gcs.files;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore.Content;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * A complete temporary file with its metadata, before it gets its final name. Renaming and linking
 * do not change its generation, so the metadata exists before the object does.
 *
 * @param temp the path of the content
 */
public record StagedFile(Path temp, ObjectFile place, ObjectInfo info) {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final String PROCESS = Long.toHexString(ProcessHandle.current().pid());

  private record Opened(Path temp, FileChannel channel) {}

  public static StagedFile write(
      ObjectFile place, Content content, Map<String, String> metadata, InstantSource clock)
      throws IOException {
    var opened = open(place);
    var temp = opened.temp();
    try {
      var crc = fill(opened.channel(), place, content);
      FileIdentity.makeUnique(temp, clock.instant());
      var stamp = FileIdentity.of(temp).orElseThrow(() -> new NoSuchFileException(temp.toString()));
      var info =
          new ObjectInfo(
              place.url(), stamp.generation(), stamp.size(), crc, metadata, stamp.updated());
      if (MetadataSidecar.needed(info))
        new MetadataSidecar(crc, metadata).write(place.sidecar(info.generation()), durable(place));
      return new StagedFile(temp, place, info);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temp);
      throw e;
    }
  }

  /** A process with the same id may have left a file of that name, or be writing one elsewhere. */
  private static Opened open(ObjectFile place) throws IOException {
    while (true) {
      var name = ObjectFile.RESERVED + "tmp-" + PROCESS + "-" + COUNT.incrementAndGet();
      var temp = place.file().resolveSibling(name);
      try {
        return new Opened(temp, channel(temp));
      } catch (FileAlreadyExistsException theirs) {
        // Try the next number.
      }
    }
  }

  private static String fill(FileChannel channel, ObjectFile place, Content content)
      throws IOException {
    var crc = new CRC32C();
    var buffer = new byte[Math.clamp(content.size(), 1, 256 << 10)];
    try (var out = channel;
        var in = content.open()) {
      for (int n; (n = in.read(buffer)) >= 0; ) {
        crc.update(buffer, 0, n);
        for (var rest = ByteBuffer.wrap(buffer, 0, n); rest.hasRemaining(); ) out.write(rest);
      }
      if (durable(place)) out.force(false);
    }
    return ContentChecksum.encode(crc);
  }

  private static FileChannel channel(Path temp) throws IOException {
    try {
      return FileChannel.open(temp, CREATE_NEW, WRITE);
    } catch (NoSuchFileException e) {
      Files.createDirectories(temp.getParent());
      return FileChannel.open(temp, CREATE_NEW, WRITE);
    }
  }

  /**
   * Sentinels are not forced to disk, because there are up to two thousand per second. A power
   * failure may lose a sentinel, and the task is then found by its output; but it must not lose the
   * output and keep the sentinel.
   */
  private static boolean durable(ObjectFile place) {
    return !place.url().name().endsWith(".COMPLETE");
  }

  /** Deletes the metadata of a draft that did not become the object. */
  public void discard() throws IOException {
    if (MetadataSidecar.needed(info)) Files.deleteIfExists(place.sidecar(info.generation()));
  }
}
