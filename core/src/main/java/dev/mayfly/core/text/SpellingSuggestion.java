package dev.mayfly.core.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The known word that was probably meant. */
public final class SpellingSuggestion {
  private SpellingSuggestion() {}

  public static Optional<String> closest(String word, Collection<String> known) {
    return near(word, known).findFirst();
  }

  /** {@code "; did you mean 'x'?"} or nothing. */
  public static String hint(String word, Collection<String> known) {
    return closest(word, known).map(k -> "; did you mean '" + k + "'?").orElse("");
  }

  /** All that may have been meant, the closest first. */
  public static List<String> all(String word, Collection<String> known) {
    return near(word, known).toList();
  }

  /**
   * The known word that this one is a slip of the pen away from: a letter changed, added or left
   * out, or two neighbours exchanged. For words that may be right though they are not known.
   */
  public static Optional<String> slip(String word, Collection<String> known) {
    return known.stream()
        .filter(k -> distance(word, k) == 1 || isExchanged(word, k))
        .min(Comparator.naturalOrder());
  }

  private static boolean isExchanged(String a, String b) {
    if (a.length() != b.length() || distance(a, b) != 2) return false;
    var at = 0;
    while (a.charAt(at) == b.charAt(at)) at++;
    return at + 1 < a.length()
        && a.charAt(at) == b.charAt(at + 1)
        && a.charAt(at + 1) == b.charAt(at);
  }

  private static Stream<String> near(String word, Collection<String> known) {
    var close = Math.max(1, Math.min(3, word.length() / 3));
    return known.stream()
        .filter(k -> distance(word, k) <= close)
        .sorted(Comparator.<String>comparingInt(k -> distance(word, k)).thenComparing(k -> k));
  }

  /** Letters to change, insert or leave out; a letter in the other case is free. */
  private static int distance(String a, String b) {
    var row = new int[b.length() + 1];
    for (var j = 0; j <= b.length(); j++) row[j] = j;
    for (var i = 1; i <= Math.min(a.length(), 60); i++) {
      var corner = row[0];
      row[0] = i;
      for (var j = 1; j <= b.length(); j++) {
        var same = Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
        var change = corner + (same ? 0 : 1);
        corner = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return a.length() > 60 ? Integer.MAX_VALUE : row[b.length()];
  }
}
