package dev.mayfly.core.text;

import java.util.function.IntPredicate;

/**
 * One part of a pattern.
 *
 * @param repeats whether it matches any number of characters, or exactly one
 */
record GlobPart(boolean repeats, IntPredicate characters) {
  /** {@code *} */
  static final GlobPart NAME = new GlobPart(true, c -> c != '/');

  /** {@code **} */
  static final GlobPart PATH = new GlobPart(true, c -> true);

  /**
   * Precedes the {@code **} of a folder's own {@code **}{@code /}: matches nothing, and may skip
   * both.
   */
  static final GlobPart FOLDERS = new GlobPart(true, c -> false);

  /** {@code ?} */
  static final GlobPart ONE = new GlobPart(false, c -> c != '/');

  static GlobPart literal(int character) {
    return new GlobPart(false, c -> c == character);
  }

  /**
   * @param inside the text between the brackets: characters and ranges, after {@code !} or {@code
   *     ^} for all others
   */
  static GlobPart range(String inside) {
    var not = inside.startsWith("!") || inside.startsWith("^");
    var set = inside.substring(not ? 1 : 0).codePoints().toArray();
    if (set.length == 0) throw new IllegalArgumentException("a pattern has an empty []");
    for (var i = 0; i < set.length; i++)
      if (isRange(set, i)) {
        if (set[i] > set[i + 2])
          throw new IllegalArgumentException(
              "[" + inside + "] has a range that ends before it begins");
        i += 2;
      }
    return new GlobPart(false, c -> not ? c != '/' && !in(set, c) : in(set, c));
  }

  private static boolean isRange(int[] set, int at) {
    return at + 2 < set.length && set[at + 1] == '-';
  }

  private static boolean in(int[] set, int c) {
    for (var i = 0; i < set.length; i++) {
      if (isRange(set, i)) {
        if (set[i] <= c && c <= set[i + 2]) return true;
        i += 2;
      } else if (set[i] == c) return true;
    }
    return false;
  }

  boolean takes(int c) {
    return characters.test(c);
  }
}
