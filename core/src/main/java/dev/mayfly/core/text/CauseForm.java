package dev.mayfly.core.text;

import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the words of failures have in common that differ in paths and numbers alone, by which they
 * are one cause.
 */
public final class CauseForm {
  /** A URL, or a path of at least one folder. */
  private static final Pattern PATH =
      Pattern.compile("(?:[a-z][a-z0-9+.-]*:/)?[^\\s'\"(\\[,;=:]*/[^\\s'\"),;:\\]]*");

  /** A file's name in quotes; names of Python's modules, which have dots too, are no files. */
  private static final Pattern FILE =
      Pattern.compile("(?<!named )(['\"])[^'\"/]*\\.[A-Za-z0-9]{1,5}\\1");

  private static final Pattern NUMBER =
      Pattern.compile(
          "\\b0x[0-9a-f]+\\b|\\b[0-9a-f]{8}-[0-9a-f-]{27}\\b|-?\\d[\\d.,_]*(?:e[-+]?\\d+)?");

  private CauseForm() {}

  /** What is said behind the first of texts of one form; empty if they are equal. */
  public static String differing(Stream<String> alike) {
    return alike.distinct().count() > 1 ? ", and alike with other paths or numbers" : "";
  }

  /** The text with a mark for each path and number. */
  public static String of(String text) {
    var paths = PATH.matcher(text).replaceAll("/");
    return NUMBER.matcher(FILE.matcher(paths).replaceAll("$1/$1")).replaceAll("#");
  }
}
