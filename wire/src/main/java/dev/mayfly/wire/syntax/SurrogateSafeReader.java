package dev.mayfly.wire.syntax;

import java.io.Reader;

/**
 * Reads text in chunks that never split a surrogate pair. The YAML engine (3.0.1) reads past the
 * end of its buffer if a chunk that fills it ends with a high surrogate.
 */
final class SurrogateSafeReader extends Reader {
  private final String text;
  private int at;

  SurrogateSafeReader(String text) {
    this.text = text;
  }

  @Override
  public int read(char[] into, int from, int most) {
    if (at == text.length()) return -1;
    var end = Math.min(text.length(), at + most);
    if (end < text.length() && end - at > 1 && Character.isHighSurrogate(text.charAt(end - 1)))
      end--;
    text.getChars(at, end, into, from);
    var count = end - at;
    at = end;
    return count;
  }

  @Override
  public void close() {}
}
