package dev.mayfly.wire.text;

import java.util.regex.Pattern;

/** What a user wrote, as it may be shown in a message or a log: on one line and not too long. */
public final class Line {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private Line() {}

  public static String of(String text, int most) {
    var begin = text.length() > most ? text.substring(0, most - 1) + "…" : text;
    return CONTROL.matcher(begin).replaceAll("?");
  }
}
