package dev.mayfly.wire.text;

import java.util.regex.Pattern;

/** What a user wrote, as it may be shown in a message or a log: on one line and not too long. */
public final class SingleLineText {
  /** Controls, and what Unicode has beside them to end a line or to turn its direction. */
  private static final Pattern CONTROL =
      Pattern.compile("[\\p{Cntrl}\u0080-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]");

  private SingleLineText() {}

  /** At most so many characters; what could command a terminal is a question mark. */
  public static String of(String text, int most) {
    return CONTROL.matcher(text.length() > most ? begin(text, most - 1) : text).replaceAll("?");
  }

  /** Not the first half alone of a character that has two. */
  private static String begin(String text, int most) {
    var half = Character.isHighSurrogate(text.charAt(most - 1));
    return text.substring(0, half ? most - 1 : most) + "…";
  }

  /** All of it on one line: a line break is {@code \n}, other controls are like {@code \u001b}. */
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
