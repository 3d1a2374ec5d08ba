package dev.mayfly.core.port;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * The names of objects as stores order and measure them: as UTF-8 bytes. A {@code String} compares
 * UTF-16 units, which puts characters beyond the 16-bit range before the last of those within it;
 * whatever is merged with a listing uses this order.
 */
public final class ObjectNames {
  /** The most bytes that a name in a bucket may have. */
  public static final int LONGEST = 1_024;

  /** The most bytes that a file's name may have, without its folders. */
  public static final int LONGEST_FILE = 255;

  /** The order of UTF-8 bytes, which is the order of code points. */
  public static final Comparator<String> ORDER = ObjectNames::compare;

  private ObjectNames() {}

  private static int compare(String a, String b) {
    for (int i = 0, n = Math.min(a.length(), b.length()); i < n; i++) {
      var x = a.charAt(i);
      var y = b.charAt(i);
      if (x == y) continue;
      if (Character.isSurrogate(x) == Character.isSurrogate(y)) return Character.compare(x, y);
      return Character.isSurrogate(x) ? 1 : -1;
    }
    return Integer.compare(a.length(), b.length());
  }

  /** What both names begin with, in whole characters. */
  public static String commonPrefix(String a, String b) {
    var n = 0;
    while (n < Math.min(a.length(), b.length()) && a.charAt(n) == b.charAt(n)) n++;
    return truncate(a, n);
  }

  /** The first {@code most} UTF-16 units or, where they would end within a character, one less. */
  public static String truncate(String name, int most) {
    if (name.length() <= most) return name;
    var cut = most > 0 && Character.isHighSurrogate(name.charAt(most - 1));
    return name.substring(0, cut ? most - 1 : most);
  }

  /** The name for a message: on one line, and without what a terminal would obey. */
  public static String printable(String name) {
    var text = new StringBuilder();
    name.codePoints()
        .forEach(c -> {
          if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)
            text.append("\\u%04x".formatted(c));
          else text.appendCodePoint(c);
        });
    return text.toString();
  }

  /** The name's length in UTF-8. */
  public static int bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }
}
