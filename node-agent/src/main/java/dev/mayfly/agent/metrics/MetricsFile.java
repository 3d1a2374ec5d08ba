package dev.mayfly.agent.metrics;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.wire.MetricsLines;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The lines that one attempt appended to {@code $MAYFLY_METRICS}. A call reads what is new, 64 KiB
 * at most: of a task that writes faster, the newest lines count.
 *
 * <p>Not thread-safe.
 */
final class MetricsFile {
  private static final int MOST = 64 << 10;

  private final AttemptDir dir;
  private final Map<String, Double> values = new LinkedHashMap<>();
  private long offset;

  MetricsFile(AttemptDir dir) {
    this.dir = dir;
  }

  /**
   * All values so far; empty if nothing is new.
   *
   * @param each is given all values after each new line
   * @param last whether the task has ended, so that a last line without an end counts
   */
  Optional<Map<String, Double>> news(boolean last, Consumer<Map<String, Double>> each)
      throws IOException {
    try (var folder = dir.reports().orElse(null)) {
      if (folder == null) return Optional.empty();
      try (var file = folder.read(Path.of(AttemptDir.METRICS)).orElse(null)) {
        return file == null ? Optional.empty() : news(file, last, each);
      }
    }
  }

  private Optional<Map<String, Double>> news(
      FileChannel file, boolean last, Consumer<Map<String, Double>> each) throws IOException {
    var size = file.size();
    // A file that was made anew is read from its beginning.
    if (size < offset) offset = 0;
    if (size == offset) return Optional.empty();
    var skipped = size - offset > MOST;
    if (skipped) offset = size - MOST;
    file.position(offset);
    var buffer = ByteBuffer.allocate((int) (size - offset));
    while (buffer.hasRemaining() && file.read(buffer) >= 0) {
      // Until the end of what was there.
    }
    var bytes = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
    return added(skipped ? bytes.indexOf('\n') + 1 : 0, bytes, last, each);
  }

  /** Bytes, not characters, are counted, so that an offset never splits a character. */
  private Optional<Map<String, Double>> added(
      int from, String bytes, boolean last, Consumer<Map<String, Double>> each) {
    var to = last ? bytes.length() : bytes.lastIndexOf('\n') + 1;
    if (to <= from) return Optional.empty();
    offset += to;
    var before = Map.copyOf(values);
    var text =
        new String(
            bytes.substring(from, to).getBytes(StandardCharsets.ISO_8859_1),
            StandardCharsets.UTF_8);
    text.lines()
        .forEach(line -> {
          MetricsLines.addTo(values, line);
          each.accept(Map.copyOf(values));
        });
    return values.equals(before) ? Optional.empty() : Optional.of(Map.copyOf(values));
  }
}
