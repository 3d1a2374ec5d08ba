package dev.mayfly.cli.output;

import java.util.Locale;
import java.util.regex.Pattern;

/** Removes terminal control sequences from untrusted text. */
public final class PrintableText {
  private static final Pattern COMMANDS =
      Pattern.compile(
          "\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?|[ -~])?");
  private static final Pattern CONTROLS =
      Pattern.compile("[\\p{Cntrl}\u0080-\u009f\u202a-\u202e\u2066-\u2069&&[^\n\t]]");
  private static final Pattern CONTROLS_BUT_STYLES =
      Pattern.compile("[\\p{Cntrl}\u0080-\u009f\u202a-\u202e\u2066-\u2069&&[^\n\t\u001b]]");

  private PrintableText() {}

  /** Multi-line text; line ends and tabs are kept. */
  public static String text(String text) {
    if (text.chars().noneMatch(PrintableText::suspicious)) return text;
    var plain = COMMANDS.matcher(lines(text)).replaceAll("");
    return CONTROLS.matcher(plain).replaceAll("");
  }

  /** As {@link #text}, but the beginnings and ends of Mayfly's own styles are kept. */
  static String styled(String text) {
    if (text.chars().noneMatch(PrintableText::suspicious)) return text;
    var styles =
        COMMANDS
            .matcher(lines(text))
            .replaceAll(command -> Style.isCode(command.group()) ? command.group() : "");
    return CONTROLS_BUT_STYLES.matcher(styles).replaceAll("");
  }

  /** JSON of the same value: what a terminal would obey is written as JSON's escapes. */
  public static String json(String json) {
    return CONTROLS
        .matcher(json)
        .replaceAll(c -> String.format(Locale.ROOT, "\\\\u%04x", (int) c.group().charAt(0)));
  }

  private static String lines(String text) {
    return text.replace("\r\n", "\n").replace('\r', '\n');
  }

  /** The text on one line, without the indentation of its further lines. */
  public static String line(String text) {
    return text(text).replaceAll("[\n\t][\n\t ]*", " ").strip();
  }

  private static boolean suspicious(int c) {
    if (c < ' ') return c != '\n' && c != '\t';
    return (c > '~' && c <= 0x9f) || (c >= 0x202a && c <= 0x2069);
  }
}
