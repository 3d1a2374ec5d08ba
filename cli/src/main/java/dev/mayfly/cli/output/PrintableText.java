package dev.mayfly.cli.output;

import java.util.regex.Pattern;

/** Removes terminal control sequences from untrusted text. */
public final class PrintableText {
  private static final Pattern COMMANDS =
      Pattern.compile(
          "\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?|[ -~])?");
  private static final Pattern CONTROLS =
      Pattern.compile("[\\p{Cntrl}\u0080-\u009f\u202a-\u202e\u2066-\u2069&&[^\n\t]]");

  private PrintableText() {}

  /** Multi-line text; line ends and tabs are kept. */
  public static String text(String text) {
    if (text.chars().noneMatch(PrintableText::suspicious)) return text;
    var plain = COMMANDS.matcher(text.replace("\r\n", "\n").replace('\r', '\n')).replaceAll("");
    return CONTROLS.matcher(plain).replaceAll("");
  }

  /** The text on one line. */
  public static String line(String text) {
    return text(text).replaceAll("[\n\t]+", " ").strip();
  }

  private static boolean suspicious(int c) {
    if (c < ' ') return c != '\n' && c != '\t';
    return (c > '~' && c <= 0x9f) || (c >= 0x202a && c <= 0x2069);
  }
}
