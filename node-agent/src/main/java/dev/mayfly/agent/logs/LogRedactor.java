package dev.mayfly.agent.logs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Redacts values in a log. Each is overwritten by as many stars, so that offsets do not change.
 * Does not recognize encoded values, such as base64.
 */
final class LogRedactor {
  private final List<byte[]> values;
  private final int longest;

  LogRedactor(Collection<String> values) {
    this.values = values.stream().map(v -> v.getBytes(StandardCharsets.UTF_8)).toList();
    longest = this.values.stream().mapToInt(v -> v.length).max().orElse(0);
  }

  boolean isEmpty() {
    return longest == 0;
  }

  /**
   * How many of the last bytes before {@code end} may be the start of a value whose rest is not
   * printed yet. They must wait, or the value would leak in two halves.
   */
  int unfinished(LogFile file, long start, long end) throws IOException {
    if (isEmpty()) return 0;
    var tail = file.read(Math.max(start, end - longest + 1), end);
    for (var from = 0; from < tail.length; from++)
      for (var value : values)
        if (tail.length - from < value.length && matches(tail, from, value, tail.length - from))
          return tail.length - from;
    return 0;
  }

  /** The bytes of the file from {@code from} to {@code to}, redacted. */
  byte[] redacted(LogFile file, long from, long to) throws IOException {
    var begin = Math.max(0, from - longest + 1);
    var bytes = file.read(begin, to + longest - 1);
    for (var at = 0; at < bytes.length; at++)
      for (var value : values)
        if (bytes.length - at >= value.length && matches(bytes, at, value, value.length))
          Arrays.fill(bytes, at, at + value.length, (byte) '*');
    var first = (int) (from - begin);
    return Arrays.copyOfRange(bytes, first, first + (int) (to - from));
  }

  private static boolean matches(byte[] bytes, int at, byte[] value, int length) {
    return Arrays.equals(bytes, at, at + length, value, 0, length);
  }
}
