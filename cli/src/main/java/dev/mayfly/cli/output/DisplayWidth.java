package dev.mayfly.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jline.utils.WCWidth;

/**
 * How many columns of a terminal texts take: East Asian characters and emoji take two, marks that
 * combine with a letter none. What a reader sees as one character is never cut in two.
 */
public final class DisplayWidth {
  private static final Pattern CHARACTER = Pattern.compile("\\X");
  private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9]*m");

  /** Asks for the coloured form of the character before it, which is wide. */
  private static final int EMOJI_FORM = 0xfe0f;

  private static final String CUT = "…";

  private DisplayWidth() {}

  public static int of(String text) {
    if (isPlain(text)) return text.length();
    return characters(STYLE.matcher(text).replaceAll("")).stream()
        .mapToInt(DisplayWidth::ofCharacter)
        .sum();
  }

  /** The text, or as much of its beginning as fits, with an ellipsis. */
  public static String cut(String text, int width) {
    return of(text) <= width ? text : beginning(text, width - 1) + CUT;
  }

  /** As {@link #cut}, but between words, unless a word takes most of the room. */
  static String cutBetweenWords(String text, int width) {
    if (of(text) <= width) return text;
    var begin = beginning(text, width - 1);
    var space = begin.lastIndexOf(' ');
    var whole = text.startsWith(" ", begin.length()) || of(begin.substring(space + 1)) > width / 2;
    return (whole || space < 0 ? begin : begin.substring(0, space)).stripTrailing() + CUT;
  }

  /** As much of the beginning as fits. */
  static String beginning(String text, int width) {
    var left = width;
    var begin = new StringBuilder();
    for (var character : characters(text)) {
      left -= ofCharacter(character);
      if (left < 0) break;
      begin.append(character);
    }
    return begin.toString();
  }

  /** As much of the end as fits. */
  static String ending(String text, int width) {
    var left = width;
    var length = 0;
    for (var character : characters(text).reversed()) {
      left -= ofCharacter(character);
      if (left < 0) break;
      length += character.length();
    }
    return text.substring(text.length() - length);
  }

  private static List<String> characters(String text) {
    var characters = new ArrayList<String>();
    var matcher = CHARACTER.matcher(text);
    while (matcher.find()) characters.add(matcher.group());
    return characters;
  }

  private static int ofCharacter(String character) {
    var first = ofCodePoint(character.codePointAt(0));
    // What joins a wide character, such as a colour of skin or a further person, is drawn in it.
    if (first == 2) return 2;
    if (character.indexOf(EMOJI_FORM) > 0) return 2;
    return character.codePoints().map(DisplayWidth::ofCodePoint).sum();
  }

  private static int ofCodePoint(int codePoint) {
    var width = Math.max(0, WCWidth.wcwidth(codePoint));
    return width == 1 && Character.isEmojiPresentation(codePoint) && !isFlagHalf(codePoint)
        ? 2
        : width;
  }

  private static boolean isFlagHalf(int codePoint) {
    return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
  }

  private static boolean isPlain(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c <= '~');
  }
}
