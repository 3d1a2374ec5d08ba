package dev.mayfly.wire.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known word that was probably meant. */
final class SpellingSuggestion {
  private SpellingSuggestion() {}

  static Optional<String> closest(String word, Collection<String> known) {
    var close = Math.max(1, Math.min(3, word.length() / 3));
    return known.stream()
        .filter(k -> distance(word, k) <= close)
        .min(Comparator.<String>comparingInt(k -> distance(word, k)).thenComparing(k -> k));
  }

  /** {@code "; did you mean 'x'?"} or nothing. */
  static String hint(String word, Collection<String> known) {
    return closest(word, known).map(k -> "; did you mean '" + k + "'?").orElse("");
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
