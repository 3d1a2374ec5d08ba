package dev.mayfly.core.text;

import java.util.regex.Pattern;

/** Text of others, such as a cloud's answer, as a part of one of our lines. */
public final class OneLine {
  private static final Pattern UNSEEN =
      Pattern.compile("[\\s\\p{Cntrl}\u0080-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+");

  private OneLine() {}

  /** Without control characters and line ends, and with {@code most} characters at most. */
  public static String of(String text, int most) {
    var line = UNSEEN.matcher(text).replaceAll(" ").strip();
    return line.length() <= most ? line : line.substring(0, most - 1) + "…";
  }
}
