package dev.mayfly.core.port;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * Object names, ordered and measured by stores as UTF-8 bytes. A {@code String} compares UTF-16
 * units, which puts characters beyond the 16-bit range before the last ones within it. Use this
 * order to merge with a listing.
 */
public final class ObjectNames {
  /** The most bytes in the name of an object in a bucket. */
  public static final int LONGEST = 1_024;

  /** The most bytes in a file name, without its folders. */
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

  /** The longest common prefix of both names, in whole characters. */
  public static String commonPrefix(String a, String b) {
    var n = 0;
    while (n < Math.min(a.length(), b.length()) && a.charAt(n) == b.charAt(n)) n++;
    return truncate(a, n);
  }

  /** The first {@code most} UTF-16 units, or one less if the cut would split a character. */
  public static String truncate(String name, int most) {
    if (name.length() <= most) return name;
    var cut = most > 0 && Character.isHighSurrogate(name.charAt(most - 1));
    return name.substring(0, cut ? most - 1 : most);
  }

  /** The name for a message: on one line, without terminal control characters. */
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

  public static int bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }
}
