package dev.mayfly.cli.output;

import java.util.ArrayList;
import java.util.List;

/** A text as lines that are no longer than there is room, cut between words. */
public final class WrappedText {
  private WrappedText() {}

  public static List<String> lines(String text, int width) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
