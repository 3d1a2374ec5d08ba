package dev.mayfly.cli.output;

import java.util.ArrayList;
import java.util.List;

/** A text as lines that are no longer than there is room, cut between words. */
public final class WrappedText {
  private WrappedText() {}

  public static List<String> lines(String text, int width) {
    return hanging(text, width, 0);
  }

  /**
   * The same with lines after the first that begin below the text's first words.
   *
   * @param indent by how many columns they are indented
   */
  public static List<String> hanging(String text, int width, int indent) {
    if (DisplayWidth.of(text) <= width) return List.of(text);
    var lines = new ArrayList<String>();
    var line = new StringBuilder(text.substring(0, text.length() - text.stripLeading().length()));
    var begun = false;
    for (var word : text.stripLeading().split(" ", -1)) {
      if (begun && DisplayWidth.of(line.toString()) + 1 + DisplayWidth.of(word) > width) {
        lines.add(line.toString().stripTrailing());
        line.setLength(0);
        line.append(" ".repeat(indent));
        begun = false;
      }
      if (!begun && word.isEmpty()) continue;
      line.append(begun ? " " : "").append(word);
      begun = true;
    }
    lines.add(line.toString());
    return lines;
  }
}
