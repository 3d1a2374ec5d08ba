package dev.mayfly.cli.logs;

import java.util.Arrays;

/** Where lines end in bytes of a log. */
final class LineEnds {
  private LineEnds() {}

  /** The index after the first line end; 0 without one. */
  static int afterFirst(byte[] bytes) {
    for (var i = 0; i < bytes.length; i++) if (bytes[i] == '\n') return i + 1;
    return 0;
  }

  /** The index after the last line end; 0 without one. */
  static int afterLast(byte[] bytes) {
    for (var i = bytes.length; i > 0; i--) if (bytes[i - 1] == '\n') return i;
    return 0;
  }

  /** The line that the bytes leave incomplete. */
  static byte[] incomplete(byte[] bytes) {
    return Arrays.copyOfRange(bytes, afterLast(bytes), bytes.length);
  }
}
