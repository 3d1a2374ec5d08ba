package dev.mayfly.wire.text;

import java.util.regex.Pattern;

/** User text for messages and logs: on one line and of limited length. */
public final class SingleLineText {
  /** Control characters, and Unicode's line separators and direction marks. */
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cntrl}\u0080-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]");

  private SingleLineText() {}

  /** Truncates the text; control characters become question marks. */
  public static String of(String text, int most) {
    return CONTROL.matcher(text.length() > most ? begin(text, most - 1) : text).replaceAll("?");
  }

  /** Truncates without splitting a surrogate pair. */
  private static String begin(String text, int most) {
    var half = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, half ? most - 1 : most) + "…";
  }

  /**
   * Escapes the whole text on one line: a line break is {@code \n}, other controls are like {@code
   * \u001b}.
   */
  public static String escaped(String text) {
    return CONTROL
        .matcher(text)
        .replaceAll(m -> {
          var c = m.group().charAt(0);
          return switch (c) {
            case '\n' -> "\\\\n";
            case '\t' -> "\t";
            default -> "\\\\u%04x".formatted((int) c);
          };
        });
  }
}
