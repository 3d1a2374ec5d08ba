package dev.mayfly.cli.doctor;

import dev.mayfly.cli.output.PrintableText;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import java.util.ArrayList;
import java.util.List;

/**
 * A preflight's checks for people: a line each, and below it what to run. Text is wrapped where the
 * terminal ends; a command is not, so that it can be copied.
 */
record CheckLines(Screen screen) {
  private static final int ABOUT = 18;
  private static final int WORD = 8;

  public List<String> lines(List<CheckResult> checkResults) {
    var lines = new ArrayList<String>();
    for (var checkResult : checkResults) {
      var parts =
          wrap(PrintableText.line(checkResult.text()), Math.max(30, screen.width() - ABOUT - WORD));
      lines.add(
          word(checkResult)
              + ("%-" + ABOUT + "s").formatted(checkResult.about())
              + parts.getFirst());
      for (var part : parts.subList(1, parts.size())) lines.add(" ".repeat(WORD + ABOUT) + part);
      checkResult
          .remedy()
          .ifPresent(r ->
              lines.add(
                  " ".repeat(WORD) + screen.paint(Style.FAINT, "run: ") + PrintableText.line(r)));
    }
    return lines;
  }

  private String word(CheckResult checkResult) {
    return switch (checkResult.verdict()) {
      case OK -> screen.paint(Style.GOOD, "ok") + "      ";
      case NOTE -> screen.paint(Style.WARN, "note") + "    ";
      case WRONG -> screen.paint(Style.BAD, "WRONG") + "   ";
      case DENIED -> screen.paint(Style.BAD, "DENIED") + "  ";
    };
  }

  private static List<String> wrap(String text, int width) {
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
